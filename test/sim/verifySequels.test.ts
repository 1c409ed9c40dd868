import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type Funder,
  FundingFailed,
  fundingByCommand,
  fundingByUrl,
} from '../../src/tools/verify/funding.js'
import type { RunReport } from '../../src/tools/verify/report.js'
import { serverClock, type VerifyOptions, verifyServer } from '../../src/tools/verify/run.js'
import { type AlteringProxy, startAlteringProxy } from '../kit/alteringProxy.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

let sim: SimulatorHandle
let proxy: AlteringProxy

beforeAll(async () => {
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
})
afterEach(() => {
  proxy.alteration = {}
})
afterAll(async () => {
  await proxy.close()
  await sim.close()
})

/** Time does not pass, and what was waited for is written down. */
function stillPace() {
  const waits: number[] = []
  return { waits, now: Date.now, wait: async (ms: number) => void waits.push(ms) }
}

function run(options: Partial<VerifyOptions> = {}): Promise<RunReport> {
  return verifyServer({
    target: { url: proxy.url, apiKey: sim.apiKey },
    reach: 'read',
    clock: stillPace(),
    ...options,
  })
}

const outcomes = ({ results }: RunReport, wanted: string) =>
  results.filter(({ outcome }) => outcome === wanted)

test('error: a key that is refused: nothing is run, and it says so', async () => {
  const target = { url: proxy.url, apiKey: 'qk_nobody_00000000000000000000' }
  const before = proxy.count
  await expect(run({ target })).rejects.toThrow(
    'refuses the API key: 401 {"error":"invalid_api_key"',
  )
  expect(proxy.count).toBe(before + 1)
})

test('error: a server that answers a web page is no such service', async () => {
  proxy.alteration = {
    request: () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Welcome</title>',
    }),
  }
  await expect(run()).rejects.toThrow(
    /is not this service: GET \/networks is 200 text\/html "<!doctype html>/,
  )
})

test('error: nobody at the address', async () => {
  const other = await startAlteringProxy(sim.url)
  await other.close()
  const target = { url: other.url, apiKey: sim.apiKey }
  await expect(run({ target })).rejects.toThrow(/no server answers at .*ECONNREFUSED/)
})

test('behavior: a server that goes away in the middle ends the run, and the rest says that it was not exercised', async () => {
  const mortal = await startAlteringProxy(sim.url)
  mortal.alteration = {
    answer() {
      if (mortal.count > 40) void mortal.close()
    },
  }
  const report = await run({ target: { url: mortal.url, apiKey: sim.apiKey } })
  expect(report.ended).toMatch(/does not answer any more/)
  expect(outcomes(report, 'differs')).toEqual([])
  expect(outcomes(report, 'conforms').length).toBeGreaterThan(20)
  const rest = outcomes(report, 'not exercised')
  expect(rest.length).toBeGreaterThan(200)
  expect(rest.at(-1)!.why).toMatch(/does not answer any more|no answer of this run/)
})

test('behavior: one connection that is cut is a finding, and the run goes on', async () => {
  let isCut = false
  proxy.alteration = {
    answer(_, { path }) {
      if (path !== '/prime_account' || isCut) return
      isCut = true
      throw new Error('cut')
    },
  }
  const report = await run({ only: ({ name }) => /\/prime_account|networks/.test(name) })
  expect(report.ended).toBeUndefined()
  expect(outcomes(report, 'differs').map(({ difference }) => difference!.seen)).toEqual([
    expect.stringMatching(/^no complete answer/),
  ])
})

test('behavior: a slow server is waited for; one that never answers is not', async () => {
  proxy.alteration = { answer: () => new Promise((resolve) => setTimeout(resolve, 100)) }
  const only: VerifyOptions['only'] = ({ name }) =>
    /GET \/networks|five of the interface/.test(name)
  expect(outcomes(await run({ only }), 'differs')).toEqual([])
  proxy.alteration = {
    answer: (_, { headers }) =>
      headers.authorization === undefined ? new Promise(() => {}) : undefined,
  }
  const report = await run({ only, limits: { answerMs: 500 } })
  expect(outcomes(report, 'differs').map(({ cells }) => cells)).toEqual([
    ['401:missing_auth_header@networks'],
  ])
})

test('behavior: who is told to come again later comes again later, and the row about limits is to change', async () => {
  let left = 2
  proxy.alteration = {
    request: ({ path }) =>
      path === '/assets' && left-- > 0
        ? {
            status: 429,
            headers: { 'content-type': 'application/json', 'retry-after': '7' },
            body: { error: 'rate_limited', message: 'slowly' },
          }
        : undefined,
  }
  const clock = stillPace()
  const report = await run({ clock, only: ({ name }) => /assets have|rate limited/.test(name) })
  expect(clock.waits).toEqual([7_000, 7_000])
  expect(outcomes(report, 'differs').map(({ name }) => name)).toEqual([
    'no request was rate limited',
  ])
  const otherwise = report.choices.filter(({ outcome }) => outcome === 'differs')
  expect(otherwise).toMatchObject([{ row: 'Rate limits' }])
})

test('behavior: a server that always says so is given up on', async () => {
  proxy.alteration = {
    request: ({ path }) =>
      path === '/assets'
        ? {
            status: 429,
            headers: { 'content-type': 'application/json', 'retry-after': '86400' },
            body: { error: 'rate_limited', message: 'slowly' },
          }
        : undefined,
  }
  const clock = stillPace()
  const report = await run({ clock, only: ({ name }) => /assets have/.test(name) })
  expect(clock.waits).toEqual(Array(5).fill(30_000))
  expect(outcomes(report, 'differs')[0]!.difference!.seen).toContain('429')
})

test('behavior: the requests of a run are bounded', async () => {
  const before = proxy.count
  const report = await run({ limits: { requests: 25 } })
  expect(proxy.count - before).toBe(25)
  expect(report.ended).toBe('25 requests were sent, which is the most that a run sends')
})

test('error: who was to pay and does not: the rest is found out, and the run says what it lacked', async () => {
  let asked = 0
  const funder: Funder = async () => {
    asked++
    throw new FundingFailed('the till is empty')
  }
  const report = await run({
    reach: 'plan',
    funder,
    only: ({ axis, isSlow }) => axis === 'money' && !isSlow,
  })
  expect(asked).toBe(1)
  expect(report.ended).toBe('the funding failed: the till is empty')
  expect(outcomes(report, 'differs')).toEqual([])
})

test('behavior: an account that cannot be made is no finding of those who need one', async () => {
  proxy.alteration = {
    request: ({ path, method, body }) =>
      method === 'POST' && path === '/accounts' && body?.signer_address?.length === 42
        ? {
            status: 503,
            headers: { 'content-type': 'application/json' },
            body: { error: 'unavailable', message: 'come back' },
          }
        : undefined,
  }
  const report = await run({
    reach: 'plan',
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    only: ({ name }) => /a transfer plans exactly|signer_address of 39 digits/.test(name),
  })
  const [why] = outcomes(report, 'not exercised').map((each) => each.why)
  expect(why).toMatch(/^needs an account: POST \/accounts: expected 201, seen 503/)
  expect(outcomes(report, 'differs').map(({ name }) => name)).toEqual([
    'every answer is one of those that the document has',
  ])
})

test('behavior: a command pays without a shell: words are replaced, and stand in the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-verify-'))
  const script = join(folder, 'pay.mjs')
  const pay = `
    const [, , address, amount, ...rest] = process.argv
    const { SVC_FUND_ASSET: asset, SVC_FUND_NETWORK: network, SVC_FUND_ADDRESS } = process.env
    if (address !== SVC_FUND_ADDRESS || rest.join(' ') !== '$(exit 1) ; exit 1') throw new Error(rest)
    const body = JSON.stringify({ address, asset, network, amount })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('${sim.controlUrl}/fund', { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())`
  try {
    await writeFile(script, pay)
    const command = `${process.execPath} ${script} {address} {amount} $(exit 1) ; exit 1`
    const only: VerifyOptions['only'] = ({ name }) => /a transfer plans exactly/.test(name)
    const paid = await run({ reach: 'plan', funder: fundingByCommand(command), only })
    expect(paid.results.map(({ outcome }) => outcome)).not.toContain('not exercised')
    expect(paid.ended).toBeUndefined()
    const unpaid = await run({ reach: 'plan', funder: fundingByCommand('no-such-command'), only })
    expect(unpaid.ended).toMatch(/^the funding failed: no-such-command failed: .*ENOENT/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('behavior: a server whose clock is a month ahead, or stands, is held against that clock', async () => {
  const ahead = await createSimulator()
  try {
    await ahead.clock.advance(30 * 86_400)
    for (const mode of ['real', 'frozen']) {
      if (mode === 'frozen') await ahead.clock.freeze()
      const report = await run({
        target: { url: ahead.url, apiKey: ahead.apiKey },
        reach: 'plan',
        funder: fundingByUrl(`${ahead.controlUrl}/fund`),
        only: ({ axis, isSlow }) => axis === 'time' && !isSlow,
      })
      expect(outcomes(report, 'differs'), mode).toEqual([])
      const held = outcomes(report, 'conforms').map(({ name }) => name)
      expect(held, mode).toContain('a plan lives for two minutes')
    }
  } finally {
    await ahead.close()
  }
})

test('behavior: a server that is no simulator is held against the Date of its answers', async () => {
  const at = Date.parse('2031-05-05T10:00:00Z')
  const headers = { date: new Date(at).toUTCString() }
  const answer = { status: 200, headers, body: {} }
  const latest = { method: 'GET', path: '/networks', sent: undefined, answer }
  const wire = { latest: () => latest }
  const target = { url: proxy.url, apiKey: sim.apiKey }
  const clock = stillPace()
  expect(await serverClock(target, { wire, clock, isSimulator: false })()).toBe(at)
  answer.headers.date = 'yesterday'
  const now = await serverClock(target, { wire, clock, isSimulator: false })()
  expect(Math.abs(now - Date.now())).toBeLessThan(5_000)
})
