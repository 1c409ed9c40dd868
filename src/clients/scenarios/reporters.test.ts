import { expect, test } from 'vitest'
import { reporters } from './reporters.js'
import type { Result } from './run.js'

const passed: Result = {
  name: 'All # well',
  file: 'a.yaml',
  seed: '7',
  durationMs: 1234,
  isPrepared: false,
  failure: undefined,
  exchanges: [],
}
const failed: Result = {
  ...passed,
  name: 'A <bad> & "odd"\u0001 one',
  failure: { where: 'when.2 (execute)', message: 'expected status 200, got 500 "x"' },
}

function write(name: keyof typeof reporters, results: readonly Result[]): string {
  const reporter = reporters[name]
  return [
    reporter.begin(results.length),
    ...results.map((result, i) => reporter.result(result, i)),
    reporter.end(results),
  ].join('')
}

test('default: pretty names file, seed, step and reason of what failed', () => {
  const text = write('pretty', [passed, failed])
  expect(text).toContain('ok    All # well (1234 ms)')
  expect(text).toContain('a.yaml, seed 7')
  expect(text).toContain('when.2 (execute): expected status 200')
  expect(text).toMatch(/1 passed, 1 failed\n$/)
})

test('behavior: JSON is one object with the sums and every scenario', () => {
  const { failure } = failed
  expect(JSON.parse(write('json', [passed, failed]))).toEqual({
    ...{ passed: 1, failed: 1, prepared: 0 },
    scenarios: [
      { name: passed.name, file: 'a.yaml', seed: '7', outcome: 'passed', duration_ms: 1234 },
      {
        name: failed.name,
        file: 'a.yaml',
        seed: '7',
        outcome: 'failed',
        duration_ms: 1234,
        failure,
      },
    ],
  })
})

test('behavior: TAP has a plan, escapes titles, and tells failures in YAML', () => {
  expect(write('tap', [passed, failed]).split('\n')).toEqual([
    'TAP version 14',
    '1..2',
    'ok 1 - All \\# well',
    'not ok 2 - A <bad> & "odd"\u0001 one',
    '  ---',
    '  file: "a.yaml"',
    '  seed: "7"',
    '  where: "when.2 (execute)"',
    '  message: "expected status 200, got 500 \\"x\\""',
    '  durationMs: 1234',
    '  ...',
    '',
  ])
})

test('behavior: JUnit escapes what XML does not take', () => {
  const text = write('junit', [passed, failed])
  expect(text).toContain('<testsuites tests="2" failures="1" skipped="0" time="2.468">')
  expect(text).toContain('name="A &lt;bad&gt; &amp; &quot;odd&quot;? one"')
  expect(text).toContain('got 500 &quot;x&quot;')
  expect(text).toContain('seed 7')
})

test('behavior: what only prepares a world is neither passed nor failed, unless preparing it failed', () => {
  const prepared: Result = { ...passed, name: 'A world', isPrepared: true }
  const results = [passed, prepared, { ...failed, isPrepared: true }]
  const pretty = write('pretty', results)
  expect(pretty).toContain('  ready A world: prepares a world for your own client')
  expect(pretty).toContain('  FAIL  A <bad>')
  expect(pretty).toMatch(/1 passed, 1 failed, 1 prepared\n$/)
  expect(write('tap', results)).toContain('ok 2 - A world # SKIP prepares a world')
  const junit = write('junit', results)
  expect(junit).toContain('tests="3" failures="1" skipped="1"')
  expect(junit).toMatch(/name="A world"[^/]*>\s*<skipped message="prepares a world/)
})
