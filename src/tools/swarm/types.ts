import type { FaultRuleInput } from '../../faults/rules/faultRuleInput.js'

export const findingKinds = [
  'moved_twice',
  'claimed_success',
  'gave_up',
  'left_behind',
  'hung',
  'hammered',
  'misused',
  'impatient',
  'lost_track',
] as const
export type FindingKind = (typeof findingKinds)[number]

export interface ClientFinding {
  kind: FindingKind
  message: string
  /** The activity, plan, request or account that the finding is about, for `why`; undefined where it is about none. */
  about: string | undefined
  /** A second request, where one alone does not show the defect. */
  and?: string
  /** The activity or request with which the damage was done: the timeline ends there. */
  until?: string
  /** What the client could not cope with, such as `409 plan_stale`. Findings of one kind and cause are one. */
  cause: string
  /** The fault that caused the finding, and the request at which it fired. */
  at: string | undefined
}

/** Options of a search. Everything has a default. */
export interface SwarmOptions {
  /** How many schedules to try; 100, or no limit when `forSeconds` is given. */
  runs?: number | undefined
  /** The search ends after this many seconds. */
  forSeconds?: number | undefined
  /** How many worlds run in parallel, each of about 250 MB; two per core. */
  jobs?: number | undefined
  /** Seed of the first run; each later run has the next one. Random when absent. */
  seed?: number | undefined
  /** `survivable`, `any`, `open`, or a file of a profile; `survivable` when absent. */
  profile?: string | undefined
  /** The most runs for shrinking one finding; 40. */
  shrinkRuns?: number | undefined
  /** The search ends after this many different findings that showed again. */
  bail?: number | undefined
  /** The kinds of findings to look for; all when absent. */
  finding?: readonly FindingKind[] | undefined
  /** How long a run may take in all. When absent: ten times the baseline, and at least 15 s, besides waiting for responses. */
  timeoutSeconds?: number | undefined
  /** Folder for scenarios and traces; `swarm`. */
  out?: string | undefined
  /** The clock of the worlds, as `svc-sim start --clock`; `auto@now` when absent. */
  clock?: string | undefined
  /** Also kills the command at single requests, and runs it again. A function cannot be killed. */
  restart?: boolean | undefined
  /** Folder of an earlier search to continue; it replaces `out` and `seed`. */
  resume?: string | undefined
  /** Ends the search and reports what it has found so far. */
  signal?: AbortSignal | undefined
  onProgress?: ((progress: SwarmProgress) => void) | undefined
  /** Hears of each finding when it has been examined. */
  onFinding?: ((finding: ReportedFinding) => void) | undefined
}

/** How far a search has come. */
export interface SwarmProgress {
  runs: number
  findings: number
  /** Findings that are being run again and shrunk. */
  examining: number
  elapsedMs: number
  /** Documented errors that the client has met: endpoint, status and code. */
  cells: number
}

/** `reproduced` of a finding that was not run again. */
export const notRunAgain = '0 of 0'

/** A finding as it is reported. */
export interface ReportedFinding {
  kind: FindingKind
  /** What the client could not cope with, such as `409 plan_stale`: findings of one kind and cause are one. */
  cause: string
  /** Of the run in which it was found first. */
  seed: number
  message: string
  rules: readonly FaultRuleInput[]
  /** Scenario file that arms these rules: `svc-sim scenario run FILE -- CMD` fails. */
  scenario: string
  /** Other faults that have shown the same, each with the request that it met. */
  seen_with: readonly string[]
  /** Trace of a run with these rules: `svc-sim ui FILE` shows it. */
  trace: string
  /** How often it happened again, such as `3 of 3`; `0 of 0` when the search was stopped before it was run again. */
  reproduced: string
  /** How many runs it took to find it; 0 when it needs no fault. */
  found_after: number
  /** How many runs of the search have shown it. */
  seen: number
  /** When it was seen first: seconds after the search began. */
  seconds: number
  timeline: string | undefined
}

/** What `svc-sim swarm --reporter json` prints, and `swarm` of the library resolves to. */
export interface SwarmReport {
  baseline: { exit: number; executions: number }
  /** Schedules that were tried. */
  runs: number
  /** Each fault at each place that the client reaches is tried by itself first. */
  single_faults: { tried: number; of: number }
  findings: readonly ReportedFinding[]
  /** Seen in one run, and in none of the three that repeated it. They are no findings: the exit code does not count them. */
  not_confirmed: readonly ReportedFinding[]
  /** Documented answers that the client has met in all runs together, such as `POST /accounts 409 account_already_exists`. */
  cells: readonly { cell: string; hits: number }[]
  /** Effects that could never fire, since the client does nothing that they concern. */
  unreached: readonly string[]
  /** Of the first run: `--seed` repeats the search. */
  seed: number
  seconds: number
}
