import { parseFork, splitForks } from '../../../chain/fork/upstream/target.js'
import { emptyAccount, wholeCount } from './optionValues.js'

const running = ['start', 'exec'] as const

/** The options of networks that are not offline: a part of `optionTable`. */
export const forkOptions = {
  fork: {
    commands: [...running, 'bundle'],
    value: 'NET=URL[,URL...][@BLOCK]',
    many: true,
    split: splitForks,
    isSecret: true,
    help: 'fork a network from an RPC endpoint, at a block or the newest; if one URL fails, the next is used; the other networks stay offline; a data folder stays at the block of its first start',
    helpOf: {
      bundle:
        'create: network to record from an RPC endpoint, up to a block or the newest; if one URL fails, the next is used',
    },
    parse: parseFork,
    fallback: [],
  },
  bundle: {
    commands: running,
    value: 'DIR',
    help: 'fork the networks of this bundle without an endpoint; with --fork, missing state is read from there; a new data folder takes the bundle over',
  },
  assumeEmpty: {
    commands: [...running, 'bundle'],
    value: 'ADDRESS',
    many: true,
    help: 'take this address for empty where the bundle has recorded nothing of it; signers means the signers of all sub-accounts',
    helpOf: {
      bundle:
        'create: take this address for empty whenever the bundle is used, where it has recorded nothing of it; signers means the signers of all sub-accounts',
    },
    parse: emptyAccount,
    fallback: [],
  },
  saveBundle: {
    commands: running,
    help: 'at the end, add what was read from --fork to the bundle',
  },
  forkCache: {
    commands: [...running, 'worker', 'bundle'],
    value: 'DIR',
    help: 'cache of what forks read, for the next start at the same block, or none (default: in your cache folder; with --data-dir in that folder)',
    helpOf: {
      worker:
        'cache of what forks read, for the next start at the same block, or none (default: in your cache folder)',
      bundle:
        'create: cache of what was read, for the next bundle at the same block, or none (default: in your cache folder)',
    },
  },
  forkMaxRequests: {
    commands: [...running, 'worker', 'bundle'],
    value: 'N',
    help: 'limit of requests to the endpoints of forks; further ones fail with an error that says so (default: no limit)',
    helpOf: { bundle: 'create: limit of requests to the endpoints (default: no limit)' },
    parse: wholeCount,
  },
} as const
