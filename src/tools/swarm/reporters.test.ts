import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packageFile } from '../../lib/files/packageFile.js'
import { noFault } from './judge/cause.js'
import { rewoundCursor } from './judge/misused.js'
import { findingLine, swarmReporters } from './reporters.js'
import type { ReportedFinding, SwarmReport } from './types.js'

const finding: ReportedFinding = {
  ...{
    kind: 'moved_twice',
    cause: 'a lost response to an execution',
    seen_with: [1, 2, 3, 4, 5, 6].map((n) => `request.truncate at GET /${n} (a cut connection)`),
  },
  ...{ seed: 7, message: 'acc_1 sent "5 USDC" twice & <more>' },
  rules: [{ on: 'execute', effect: 'response_lost', times: 1 }],
  ...{ scenario: 'swarm/moved twice.yaml', trace: 'swarm/moved.jsonl' },
  ...{
    reproduced: '3 of 3',
    found_after: 4,
    seen: 2,
    seconds: 1.5,
    timeline: '19:31:02 POST /accounts',
  },
}

const report: SwarmReport = {
  baseline: { exit: 0, executions: 1 },
  ...{ runs: 10, findings: [finding], seed: 5, seconds: 2.5 },
  single_faults: { tried: 10, of: 61 },
  not_confirmed: [],
  cells: [
    { cell: 'GET /accounts 200', hits: 3 },
    { cell: 'POST /accounts 409 account_already_exists', hits: 1 },
  ],
  unreached: ['bridge.delay'],
}

const pay = ['node', "it's pay.mjs"]

test('default: a finding with its faults, its timeline and what to run next', () => {
  expect(swarmReporters.pretty(report, pay)).toMatchInlineSnapshot(`
    "1. moved_twice: a lost response to an execution (seed 7; seen in 2 runs; reproduced 3 of 3)
         acc_1 sent "5 USDC" twice & <more>
       Faults:
         {"on":"execute","effect":"response_lost","times":1}
       Timeline:
         19:31:02 POST /accounts
       Try it:
         npx svc-sim scenario run 'swarm/moved twice.yaml' -- node 'it'\\''s pay.mjs'
         npx svc-sim swarm --replay 'swarm/moved twice.yaml' -- node 'it'\\''s pay.mjs'
         npx svc-sim ui swarm/moved.jsonl
       What to do: find out whether the plan ran before you make another: if GET /accounts/:account_id/activities lists an activity with its plan_id, it ran, so follow that activity and do not plan again; if none has it, execute the same plan again.
       How to fix it: docs/guides/lost-answer.md (or http://127.0.0.1:4477/_sim/docs/guides/lost-answer while svc-sim start runs)
       Seen with:
         request.truncate at GET /1 (a cut connection)
         request.truncate at GET /2 (a cut connection)
         request.truncate at GET /3 (a cut connection)
         request.truncate at GET /4 (a cut connection)
         request.truncate at GET /5 (a cut connection)
         and 1 more

    1 finding in 10 runs (2.5 s, seed 5). Without faults the command executes 1 plan.
    10 of 61 single faults tried.
    In all runs the client received 1 documented error: POST /accounts 409 account_already_exists.
    Never reached: bridge.delay.
    "
  `)
})

test('behavior: without a trace, none is offered', () => {
  const text = swarmReporters.pretty({ ...report, findings: [{ ...finding, trace: '' }] }, pay)
  expect(text).toContain('--replay')
  expect(text).not.toContain('svc-sim ui')
})

test('behavior: a finding without faults has no seed', () => {
  const other = { ...finding, kind: 'hung', cause: 'no request', rules: [] } as const
  const text = swarmReporters.pretty({ ...report, findings: [other], cells: [] }, pay)
  expect(text).toContain('1. hung: no request (without faults; seen in 2 runs;')
  expect(text).toContain('\nThe client received no documented error.\n')
})

test('behavior: a finding that needs no fault says so, and one that was not run again', () => {
  const other = { ...finding, kind: 'left_behind', cause: noFault, rules: [] } as const
  const text = swarmReporters.pretty(
    { ...report, findings: [{ ...other, reproduced: '0 of 0' }] },
    pay,
  )
  expect(text).toContain('1. left_behind: needs no fault (seen in 2 runs; not run again)\n')
})

test.each<[Pick<ReportedFinding, 'kind' | 'cause'>, on: 'bridge' | 'execute', page: string]>([
  [{ kind: 'gave_up', cause: 'a lost response to an execution' }, 'execute', 'guides/lost-answer'],
  [{ kind: 'gave_up', cause: '409 plan_stale' }, 'execute', 'guides/plan-stale'],
  [{ kind: 'gave_up', cause: 'a request that has to be sent again' }, 'execute', 'client'],
  [{ kind: 'hammered', cause: 'retry-after ignored' }, 'execute', 'client'],
  [{ kind: 'hung', cause: 'a response that does not come' }, 'execute', 'guides/timeouts'],
  [{ kind: 'misused', cause: 'an expired plan executed again' }, 'execute', 'guides/plan-stale'],
  [{ kind: 'misused', cause: rewoundCursor }, 'execute', 'client'],
  [{ kind: 'left_behind', cause: noFault }, 'execute', 'start/first-plan'],
  [{ kind: 'claimed_success', cause: 'bridge.stuck' }, 'bridge', 'guides/bridge'],
])('behavior: %j names a guide that is there', (found, on, page) => {
  const other = {
    ...finding,
    ...found,
    rules: [{ on, effect: 'stuck' }],
  } as const satisfies ReportedFinding
  const text = swarmReporters.pretty({ ...report, findings: [other] }, pay)
  expect(text).toContain(
    `How to fix it: docs/${page}.md (or http://127.0.0.1:4477/_sim/docs/${page} while svc-sim start runs)`,
  )
  expect(existsSync(packageFile(`docs/${page}.md`))).toBe(true)
})

test('behavior: no finding says how much was tried', () => {
  expect(swarmReporters.pretty({ ...report, findings: [] }, pay)).toMatch(
    /^No findings in 10 runs \(2.5 s, seed 5\)/,
  )
})

test('behavior: junit has a failed case for each finding, escaped, and one that passed when there is none', () => {
  expect(swarmReporters.junit(report, pay)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="1" skipped="0" time="2.500">
      <testsuite name="svc-sim swarm" tests="1" failures="1" skipped="0" time="2.500">
        <testcase name="moved_twice: a lost response to an execution" classname="svc-sim swarm">
          <failure message="acc_1 sent &quot;5 USDC&quot; twice &amp; &lt;more&gt;">1. moved_twice: a lost response to an execution (seed 7; seen in 2 runs; reproduced 3 of 3)
         acc_1 sent &quot;5 USDC&quot; twice &amp; &lt;more&gt;
       Faults:
         {&quot;on&quot;:&quot;execute&quot;,&quot;effect&quot;:&quot;response_lost&quot;,&quot;times&quot;:1}
       Timeline:
         19:31:02 POST /accounts
       Try it:
         npx svc-sim scenario run 'swarm/moved twice.yaml' -- node 'it'\\''s pay.mjs'
         npx svc-sim swarm --replay 'swarm/moved twice.yaml' -- node 'it'\\''s pay.mjs'
         npx svc-sim ui swarm/moved.jsonl
       What to do: find out whether the plan ran before you make another: if GET /accounts/:account_id/activities lists an activity with its plan_id, it ran, so follow that activity and do not plan again; if none has it, execute the same plan again.
       How to fix it: docs/guides/lost-answer.md (or http://127.0.0.1:4477/_sim/docs/guides/lost-answer while svc-sim start runs)
       Seen with:
         request.truncate at GET /1 (a cut connection)
         request.truncate at GET /2 (a cut connection)
         request.truncate at GET /3 (a cut connection)
         request.truncate at GET /4 (a cut connection)
         request.truncate at GET /5 (a cut connection)
         and 1 more
    </failure>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `)
  expect(swarmReporters.junit({ ...report, findings: [] }, pay)).toContain('tests="1" failures="0"')
})

test('behavior: what was not seen again is told apart, and each finding has a line', () => {
  const once = { ...finding, reproduced: '0 of 3', scenario: '' }
  const text = swarmReporters.pretty({ ...report, findings: [], not_confirmed: [once] }, pay)
  expect(text).toContain('No findings in 10 runs')
  expect(text).toContain(
    'Not confirmed, since three more runs did not show it:\n  moved_twice: a lost response to an execution (seed 7) with [{"on":"execute"',
  )
  expect(findingLine(finding)).toBe(
    'moved_twice: a lost response to an execution (after 1.5 s; reproduced 3 of 3, swarm/moved twice.yaml)',
  )
})

test('behavior: json is the report', () => {
  expect(JSON.parse(swarmReporters.json(report, pay))).toEqual(report)
})
