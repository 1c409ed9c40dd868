import { findingKinds } from '../../swarm/judge/finding.js'
import { anyText, howMany, oneOf, seconds, span, wholeCount } from './optionValues.js'

/** The options of `swarm` alone: a part of `optionTable`. */
export const swarmOptions = {
  runs: {
    commands: ['swarm'],
    value: 'N',
    help: 'how many schedules of faults are tried (default: 100; with --for without bound)',
    parse: wholeCount,
  },
  for: {
    commands: ['swarm'],
    value: 'TIME',
    help: 'how long new schedules are tried, such as 90s, 10m or 2h',
    parse: span,
  },
  jobs: {
    commands: ['swarm'],
    value: 'N',
    help: 'how many worlds run side by side (default: two for each core; each takes about 250 MB)',
    parse: howMany,
  },
  profile: {
    commands: ['swarm'],
    value: 'NAME|FILE',
    help: 'what is drawn: survivable, what a good client rides out; any, also what nobody can repair; open, also other readings of the interface; or a file',
    parse: anyText,
    fallback: 'survivable',
  },
  shrinkRuns: {
    commands: ['swarm'],
    value: 'N',
    help: 'how many runs may be spent on making one finding smaller',
    parse: wholeCount,
    fallback: 40,
  },
  bail: {
    commands: ['swarm'],
    value: 'N',
    help: 'end the search after so many different findings (default: no bound)',
    parse: wholeCount,
  },
  finding: {
    commands: ['swarm'],
    value: 'KIND',
    many: true,
    help: 'look for this finding alone, such as moved_twice (default: all of them)',
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
    parse: anyText,
  },
} as const
