import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
afterAll(() => vi.unstubAllGlobals())
const { world } = await import('../../api/session.js')
const { expectedAndGot, playAll, runs, scenarioPlaying, scenariosLeft } = await import('./runs.js')

/** Collects the requests for runs; each waits until the test lets it pass. */
function stubRuns() {
  const asked: { path: string; pass(): void }[] = []
  vi.stubGlobal('fetch', ({ url }: Request) => {
    const { pathname: path } = new URL(url)
    return new Promise<Response>((resolve) => {
      asked.push({ path, pass: () => resolve(Response.json({ passed: true })) })
    })
  })
  return asked
}

test('default: scenarios run one after the other, and their results are kept', async () => {
  const asked = stubRuns()
  const played = playAll(['one', 'two'])
  for (const at of [0, 1]) {
    await expect.poll(() => asked.length).toBe(at + 1)
    expect(scenariosLeft.value).toBe(2 - at)
    asked[at]!.pass()
  }
  await played
  expect(Object.keys(runs.value)).toEqual(['one', 'two'])
  expect([scenariosLeft.value, scenarioPlaying.value]).toEqual([undefined, undefined])
})

test('behavior: switching to another world stops there, and no result is shown in the wrong world', async () => {
  const asked = stubRuns()
  const played = playAll(['one', 'two'])
  await expect.poll(() => asked.length).toBe(1)
  world.value = 'wld_other'
  expect([scenariosLeft.value, scenarioPlaying.value]).toEqual([undefined, undefined])
  const playedThere = playAll(['three'])
  await expect.poll(() => asked.length).toBe(2)
  asked[0]!.pass()
  await played
  expect([scenariosLeft.value, scenarioPlaying.value, runs.value]).toEqual([1, 'three', {}])
  asked[1]!.pass()
  await playedThere
  expect(Object.keys(runs.value)).toEqual(['three'])
  expect(asked.map(({ path }) => path)).toEqual([
    '/_sim/scenarios/one/run',
    '/_sim/worlds/wld_other/scenarios/three/run',
  ])
  world.value = undefined
})

test('default: what was expected, apart from what came', () => {
  expect(expectedAndGot('expected status 200, got 409 plan_stale: "a, b"')).toEqual({
    expected: 'status 200',
    got: '409 plan_stale: "a, b"',
  })
  expect(expectedAndGot('expected body.a to be "1", but it is missing')).toEqual({
    expected: 'body.a to be "1"',
    got: 'missing',
  })
  expect(expectedAndGot('alice has no activity')).toBeUndefined()
})
