import { findingKinds } from '../../swarm/judge/finding.js'
import { howMany, oneOf, seconds, span, wholeCount } from './optionValues.js'

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
    parse: howMany,
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
  replay: {
    commands: ['swarm'],
    value: 'FILE',
    help: 'run the scenario of a finding three times, instead of a search',
  },
} as const
