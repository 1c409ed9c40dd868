import { parseFork, splitForks } from '../../../chain/fork/upstream/target.js'
import { anyText, emptyAccount, wholeCount, yesOrNo } from './optionValues.js'

const running = ['start', 'exec'] as const

/** The options of networks that are not offline: a part of `optionTable`. */
export const forkOptions = {
  fork: {
    commands: [...running, 'bundle'],
    value: 'NET=URL[,URL...][@BLOCK]',
    many: true,
    split: splitForks,
    isSecret: true,
    help: 'fork this network from an RPC endpoint (where one fails, the next), at a block or the newest, in a data folder at the block of its first start; the others stay offline',
    parse: parseFork,
    fallback: [],
  },
  bundle: {
    commands: running,
    value: 'DIR',
    help: 'fork the networks of this bundle from what it has recorded, without any endpoint; with --fork, what it lacks is asked there; a new data folder takes it over',
    parse: anyText,
  },
  assumeEmpty: {
    commands: [...running, 'bundle'],
    value: 'ADDRESS',
    many: true,
    help: 'take this address for empty where a bundle has recorded nothing of it; signers means the signers of all sub-accounts; with bundle create, whenever the bundle is used',
    parse: emptyAccount,
    fallback: [],
  },
  saveBundle: {
    commands: running,
    help: 'at the end, add to the bundle what was asked of --fork besides',
    parse: yesOrNo,
    fallback: false,
  },
  forkCache: {
    commands: [...running, 'worker', 'bundle'],
    value: 'DIR',
    help: 'folder in which forks keep what they read, for the next start at the same block, or none (default: one in your cache folder; with --data-dir that one)',
    parse: anyText,
  },
  forkMaxRequests: {
    commands: [...running, 'worker', 'bundle'],
    value: 'N',
    help: 'how many requests the endpoints of forks may get; what is asked beyond fails and says so (default: any number)',
    parse: wholeCount,
  },
} as const
