import { expect, test } from 'vitest'
import type { ReportedFinding } from '../types.js'
import type { FirstSight } from './examine.js'
import { createSightings } from './sightings.js'

function sight(cause: string, at?: string): FirstSight {
  const finding = { kind: 'hung', cause, message: '', at, timeline: undefined }
  return { finding, schedule: [], seed: 1, foundAfter: 1, seconds: 1 } as unknown as FirstSight
}

/** Examinations that end when the test says how often the finding showed again. */
function examinations(bail: number) {
  const open: { cause: string; end(times: number): void; fail(error: Error): void }[] = []
  const told: string[] = []
  const sightings = createSightings({
    ...{ bail, earlier: [], onChange: () => {} },
    examine: ({ finding: { kind, cause } }) =>
      new Promise((resolve, reject) => {
        const end = (times: number): void => {
          open.splice(open.indexOf(examination), 1)
          resolve({
            kind,
            cause,
            rules: [],
            reproduced: `${times} of 3`,
          } as unknown as ReportedFinding)
        }
        const examination = { cause, end, fail: reject }
        open.push(examination)
      }),
    onFinding: ({ cause, reproduced }) => told.push(`${cause}: ${reproduced}`),
  })
  return { open, told, sightings }
}

const later = () => new Promise((resolve) => setImmediate(resolve))

test('behavior: a finding that does not show again leaves its place to the next one', async () => {
  const { open, told, sightings } = examinations(1)
  const first = sightings.report(sight('a slow machine'))
  const mayGoOn = sightings.hasRoom()
  open[0]!.end(0)
  await first
  expect(await mayGoOn).toBe(true)
  const second = sightings.report(sight('a lost response'))
  open[0]!.end(3)
  await second
  expect(await sightings.hasRoom()).toBe(false)
  expect(told).toEqual(['a slow machine: 0 of 3', 'a lost response: 3 of 3'])
})

test('behavior: one that did not show again is examined anew when it is seen again; one that did is only counted', async () => {
  const { open, told, sightings } = examinations(5)
  for (const times of [0, 0, 2]) {
    const reported = sightings.report(sight('a lost response', `execute ${times}`))
    expect(open.map(({ cause }) => cause)).toEqual(['a lost response'])
    open[0]!.end(times)
    await reported
  }
  await sightings.report(sight('a lost response', 'execute 3'))
  expect(open).toEqual([])
  expect(told).toEqual(['a lost response: 0 of 3', 'a lost response: 2 of 3'])
  expect(sightings.findings()).toMatchObject([
    { seen: 4, seen_with: ['execute 0', 'execute 2', 'execute 3'], reproduced: '2 of 3' },
  ])
})

test('behavior: of two that wait for the same place, the second is examined only when the first does not show again', async () => {
  const { open, sightings } = examinations(1)
  const reports = ['one', 'two', 'three'].map((cause) => sightings.report(sight(cause)))
  expect(open.map(({ cause }) => cause)).toEqual(['one'])
  open[0]!.end(0)
  await later()
  expect(open.map(({ cause }) => cause)).toEqual(['two'])
  open[0]!.end(1)
  await Promise.all(reports)
  expect(open).toEqual([])
  expect(sightings.findings().map(({ cause }) => cause)).toEqual(['one', 'two'])
})

test('error: when an examination fails, those that wait for it fail as well', async () => {
  const { open, sightings } = examinations(1)
  const reports = ['one', 'two'].map((cause) => sightings.report(sight(cause)))
  const waiting = sightings.hasRoom()
  open[0]!.fail(new Error('no more processes'))
  const ended = await Promise.allSettled([...reports, waiting])
  expect(ended.map((each) => each.status === 'rejected' && each.reason.message)).toEqual(
    Array(3).fill('no more processes'),
  )
})
