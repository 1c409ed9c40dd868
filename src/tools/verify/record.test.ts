import { expect, test } from 'vitest'
import { readDocument } from './documented.js'
import type { ProbeResult } from './probe.js'
import { driftOf, fallenAxes, readRecord, recordOf } from './record.js'
import { reportOf, zerosOf } from './report.js'

const documented = readDocument()

function resultOf(body: unknown, more: Partial<ProbeResult> = {}): ProbeResult {
  const path = '/accounts/acc_7hk20wq9z1ab/folio?cached=true'
  const answer = { status: 200, headers: {}, body }
  return {
    name: 'a folio',
    axis: 'shapes',
    cells: ['200@folio'],
    from: { interface: 'Folio' },
    outcome: 'conforms',
    at: '2026-01-01T00:00:00.000Z',
    answers: [{ method: 'GET', path, sent: undefined, answer }],
    ...more,
  }
}

function recorded(...results: ProbeResult[]) {
  const report = reportOf({
    ...{ url: 'http://service', run: 'abc', reach: 'all', isSimulator: true, ended: undefined },
    requests: 1,
    probes: 1,
    measured: {
      at: '2026-01-01T00:00:00.000Z',
      targetVersion: null,
      version: '1.0.0',
      corpus: 'abc',
    },
    ledger: [],
    results,
    cells: documented.cells,
  })
  return readRecord(JSON.stringify(recordOf(report, documented)))
}

const body = {
  id: 'acc_7hk20wq9z1ab',
  at: '2026-01-05T09:00:00Z',
  digest: `0x${'ab'.repeat(32)}`,
  balances: { [`token/base/USDC/0x${'1'.repeat(40)}`]: '52e6' },
  list: [{ type: 'SWAP', amount: '5' }],
  none: null,
}

test('default: ids, times, hashes, addresses and amounts are no drift', () => {
  const other = {
    id: 'acc_000000000000',
    at: '2027-11-30T10:11:12Z',
    digest: `0x${'cd'.repeat(32)}`,
    balances: { [`token/base/USDC/0x${'2'.repeat(40)}`]: '0.5e6' },
    list: [
      { type: 'SWAP', amount: '1234567' },
      { type: 'SWAP', amount: '8' },
    ],
    none: null,
  }
  expect(driftOf(recorded(resultOf(body)), recorded(resultOf(other)))).toEqual([])
})

test.each([
  ['a field that is new', { ...body, more: true }, 'new body.more: true'],
  ['a field that is gone', { ...body, id: undefined }, 'gone body.id: acc_*'],
  [
    'a number for a text',
    { ...body, list: [{ type: 'SWAP', amount: 5 }] },
    'new body.list[].amount: number',
  ],
  [
    'another word',
    { ...body, list: [{ type: 'TRADE', amount: '5' }] },
    'new body.list[].type: TRADE',
  ],
  [
    'a hash that is shorter',
    { ...body, digest: `0x${'ab'.repeat(31)}` },
    'new body.digest: hex(62)',
  ],
  ['a list that is empty', { ...body, list: [] }, 'new body.list: empty list'],
  ['what was null', { ...body, none: 'x' }, 'new body.none: x'],
])('behavior: %s is drift', (_, changed, line) => {
  const drift = driftOf(
    recorded(resultOf(body)),
    recorded(resultOf(JSON.parse(JSON.stringify(changed)))),
  )
  expect(drift).toContain(`shapes: a folio: GET /accounts/{account_id}/folio 200: ${line}`)
})

test('behavior: a probe that held and differs is drift, with the difference; so is the way back', () => {
  const difference = { expected: '3', seen: '4', where: 'GET /x' }
  const [held, differs] = [
    recorded(resultOf(body)),
    recorded(resultOf(body, { outcome: 'differs', difference })),
  ]
  expect(driftOf(held, differs)[0]).toMatch(
    /^shapes: a folio: conforms then, differs now \(GET \/x/,
  )
  expect(driftOf(differs, held)[0]).toMatch(/^shapes: a folio: differs then, conforms now/)
})

test('behavior: what one of both did not exercise is not compared', () => {
  const skipped = recorded(
    resultOf({}, { outcome: 'not exercised', why: 'needs money', answers: [] }),
  )
  expect(driftOf(recorded(resultOf(body)), skipped)).toEqual([])
  expect(driftOf(skipped, recorded(resultOf(body)))).toEqual([])
})

test('behavior: an axis falls when a smaller part of it holds', () => {
  const before = recorded(resultOf(body), resultOf(body, { name: 'another', outcome: 'differs' }))
  const score = { axis: 'shapes' as const, zeros: zerosOf([]) }
  expect(fallenAxes(before, [{ ...score, held: 5, of: 10 }])).toEqual([])
  expect(fallenAxes(before, [{ ...score, held: 4, of: 10 }])).toEqual([
    'shapes: 1 of 2 then, 4 of 10 now',
  ])
})

test('error: a file that is no record', () => {
  expect(() => readRecord('{"scores": []}')).toThrow()
  expect(() => readRecord('hello')).toThrow()
})
