import {
  baseUrl,
  howMany,
  oneOf,
  seconds,
  span,
  wholeCount,
} from '../../../simulator/options/optionSpec.js'
import { findingKinds } from '../../swarm/judge/finding.js'

/** The options of `verify` alone: a part of `optionTable`. */
export const verifyOptions = {
  only: {
    commands: ['verify'],
    value: 'REACH',
    help: 'read: reads, and requests that are refused; plan: also creates accounts and plans; all: also executes them',
    parse: oneOf(['read', 'plan', 'all'] as const),
    fallback: 'all',
  },
  fundUrl: {
    commands: ['verify'],
    value: 'URL',
    isSecret: true,
    help: 'URL that pays: it receives a POST of {address, asset, amount, network}, like /_sim/fund',
    parse: baseUrl,
  },
  fundCmd: {
    commands: ['verify'],
    value: 'CMD',
    isSecret: true,
    help: 'command that pays, without a shell: {address}, {account_id}, {asset}, {amount} and {network} are replaced in it, and its environment has SVC_FUND_ADDRESS and so on',
  },
  record: {
    commands: ['verify'],
    value: 'FILE',
    help: 'record the run in this file, without ids, times and amounts',
  },
  against: {
    commands: ['verify'],
    value: 'FILE',
    help: 'compare with a recorded run; exits with 1 if the server has changed since',
  },
  baseline: {
    commands: ['verify'],
    value: 'FILE',
    help: 'accept the differences of a recorded run; exits with 1 only if a smaller part of an axis holds',
  },
  brief: {
    commands: ['verify', 'why'],
    help: 'print only differences and scores, not every documented response',
    helpOf: { why: 'print only what it has come to, and what to do next' },
  },
} as const

/** The options of `swarm` alone: a part of `optionTable`. */
export const swarmOptions = {
  runs: {
    commands: ['swarm'],
    value: 'N',
    help: 'number of fault schedules to try (default: 100; no limit with --for)',
    parse: wholeCount,
  },
  for: {
    commands: ['swarm'],
    value: 'TIME',
    help: 'how long to try new schedules, such as 90s, 10m or 2h',
    parse: span,
  },
  jobs: {
    commands: ['swarm'],
    value: 'N',
    help: 'number of worlds that run side by side (default: two for each core; each takes about 250 MB)',
    ...howMany,
  },
  profile: {
    commands: ['swarm'],
    value: 'NAME|FILE',
    help: 'faults to draw: survivable, which a good client survives; any, also those that no client can repair; open, also other readings of the interface; or a file',
    fallback: 'survivable',
  },
  shrinkRuns: {
    commands: ['swarm'],
    value: 'N',
    help: 'limit of runs for shrinking one finding',
    parse: wholeCount,
    fallback: 40,
  },
  bail: {
    commands: ['swarm'],
    value: 'N',
    help: 'end the search after this many different findings (default: no limit)',
    parse: wholeCount,
  },
  finding: {
    commands: ['swarm'],
    value: 'KIND',
    many: true,
    help: 'look only for this finding, such as moved_twice',
    parse: oneOf(findingKinds),
    fallback: findingKinds,
  },
  timeout: {
    commands: ['swarm'],
    value: 'SECONDS',
    help: 'how long a run may take (default: ten times the run without faults, and at least 10)',
    parse: seconds,
  },
  resume: {
    commands: ['swarm'],
    value: 'DIR',
    help: 'go on with the search whose --out was DIR, from the run after its last one',
  },
  replay: {
    commands: ['swarm'],
    value: 'FILE',
    help: 'run the scenario of a finding three times, instead of a search',
  },
} as const
