import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run as runProgram } from '../../src/tools/cli/program.js'
import { readDocument } from '../../src/tools/verify/documented.js'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { recordOf } from '../../src/tools/verify/record.js'
import { verifyReporters } from '../../src/tools/verify/reporters.js'
import { verifyServer } from '../../src/tools/verify/run.js'
import { type AlteringProxy, type Loose, startAlteringProxy } from '../kit/alteringProxy.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

// What `verify` says of servers that answer nonsense: which probe differs (1), or why it could not run (2).

let sim: SimulatorHandle
let proxy: AlteringProxy

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(100)
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
})
afterAll(async () => {
  await proxy.close()
  await sim.close()
})

/** What only a program says that has stumbled. */
const stumbled = /\w+Error\b|Cannot (read|convert)|is not (a function|iterable)|^ +at |viem/m

/** `verify --only read` in this process, against any server. */
async function verify(url: string) {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, done?: unknown) => {
      written[stream] += text
      if (typeof done === 'function') done()
      return true
    }),
  )
  try {
    const code = await runProgram(['verify', '--base-url', url, '--only', 'read'])
    return { code, said: written.stdout + written.stderr }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** A server that answers everything but what `isSpared` in one way; the rest is the simulator's. */
async function hostile(answer: (res: ServerResponse) => void, isSpared: (path: string) => boolean) {
  const server = createServer(async (req, res) => {
    res.on('error', () => {})
    if (!isSpared(req.url!)) return answer(res)
    const { authorization = '' } = req.headers
    const headers: Record<string, string> = authorization === '' ? {} : { authorization }
    const own = await fetch(`${sim.url}${req.url}`, { headers })
    res.writeHead(own.status, { 'content-type': 'application/json' }).end(await own.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close }
}

const json = { 'content-type': 'application/json' }
/** More than is read, as long as somebody reads. */
const endless = (res: ServerResponse): void => {
  const piece = Buffer.alloc(2 ** 20, '"a",')
  const more = (): void => {
    while (!res.destroyed && res.write(piece));
  }
  res.writeHead(200, json).on('drain', more)
  more()
}

const answers: [what: string, answer: (res: ServerResponse) => void, first: RegExp][] = [
  ['JSON that is none', (res) => res.writeHead(200, json).end('{"a":'), /is not this service/],
  ['HTML', (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'), /<h1>/],
  ['null', (res) => res.writeHead(200, json).end('null'), /is not this service/],
  ['nothing', (res) => res.writeHead(204).end(), /is not this service/],
  [
    'JSON too deep',
    (res) => res.writeHead(200, json).end('['.repeat(1e5) + ']'.repeat(1e5)),
    /is not this service/,
  ],
  ['a redirect to itself', (res) => res.writeHead(302, { location: '/networks' }).end(), /302/],
  ['a closed connection', (res) => res.destroy(), /no server answers/],
  [
    'half a body',
    (res) => res.writeHead(200, { ...json, 'content-length': '9' }).write('{', () => res.destroy()),
    /no server answers/,
  ],
  ['a body without end', endless, /no server answers .*longer than \d+ bytes/],
  [
    'too many headers',
    (res) => res.writeHead(200, { 'x-bomb': 'b'.repeat(1e6) }).end('{}'),
    /no server answers/,
  ],
]

test.each(answers)(
  'error: a server that answers %s cannot be verified: 2',
  async (_, answer, why) => {
    await using server = await hostile(answer, () => false)
    const { code, said } = await verify(server.url)
    expect(said).toMatch(why)
    expect(said).not.toMatch(stumbled)
    expect(code).toBe(2)
  },
)

test.each(answers.filter(([what]) => what !== 'a body without end'))(
  'error: %s at all but one endpoint is told, probe by probe',
  async (_, answer) => {
    await using server = await hostile(answer, (path) => path === '/networks')
    const { code, said } = await verify(server.url)
    expect(said).toMatch(/DIFFERS|did not come to its end/)
    expect(said).not.toMatch(stumbled)
    expect(code).toBeGreaterThan(0)
  },
)

test('behavior: a server that limits every request is not asked for ever', async () => {
  proxy.alteration = {
    request: () => ({
      status: 429,
      headers: { ...json, 'retry-after': '30' },
      body: { error: 'rate_limited', message: '' },
    }),
  }
  let waited = 0
  const wait = async (ms: number) => {
    waited += ms
  }
  const clock = { now: Date.now, wait }
  const report = await verifyServer({
    target: { url: proxy.url, apiKey: sim.apiKey },
    clock,
    reach: 'read',
  })
  proxy.alteration = {}
  expect(report.ended ?? '').toContain('the waits that 429 asked for exceed 600 seconds')
  expect(waited).toBeLessThanOrEqual(600_000)
})

/** Puts a value at every place of this name, however deep. */
function put(body: Loose, name: string, value: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const key of Object.keys(body)) {
    if (key === name) body[key] = value
    else put(body[key], name, value)
  }
}

const values = [null, 'x', 7, [null], {}, JSON.parse('{"__proto__":{"x":1},"constructor":null}')]

test.each(['networks', 'assets', 'markets', 'protocol', 'decimals', 'chain_id'])(
  'error: %s of every odd type differs in what is only read: 1, in plain words',
  async (name) => {
    for (const value of values) {
      proxy.alteration = { answer: (answer) => put(answer.body, name, value) }
      const { code, said } = await verify(proxy.url)
      expect(said, JSON.stringify(value)).not.toMatch(stumbled)
      expect(code, JSON.stringify(value)).toBe(1)
    }
  },
)

test.each(['details', 'svc_operation_actions', 'digest', 'expires_at', 'action_context'])(
  'error: %s of every odd type differs in a plan, in plain words',
  async (name) => {
    for (const value of values) {
      proxy.alteration = { answer: (answer) => put(answer.body, name, value) }
      const report = await verifyServer({
        target: { url: proxy.url, apiKey: sim.apiKey },
        funder: fundingByUrl(`${sim.controlUrl}/fund`),
        only: (probe) => /transfer plans exactly/.test(probe.name),
      })
      const said = verifyReporters.pretty(report)
      const record = JSON.stringify(recordOf(report, readDocument()))
      expect(said + record, JSON.stringify(value)).not.toMatch(stumbled)
      const differs = report.results.some(({ outcome }) => outcome === 'differs')
      expect(differs, JSON.stringify(value)).toBe(true)
    }
  },
)
