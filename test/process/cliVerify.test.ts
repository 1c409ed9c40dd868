import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { run as runProgram } from '../../src/tools/cli/program.js'
import { type AlteringProxy, startAlteringProxy } from '../kit/alteringProxy.js'
import { runCli } from '../kit/cli.js'

let sim: SimulatorHandle
let proxy: AlteringProxy
let folder: string
const at = (name: string): string => join(folder, name)

beforeAll(async () => {
  // Each command line listens to them once more.
  for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(50)
  folder = await mkdtemp(join(tmpdir(), 'svc-sim-verify-'))
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
})
afterEach(() => {
  proxy.alteration = {}
})
afterAll(async () => {
  await proxy.close()
  await sim.close()
  await rm(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runHere('verify', '--base-url', proxy.url, '--only', 'read', ...args)

/** The command line in this process, which spares the start of another. */
async function runHere(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, done?: unknown) => {
      written[stream] += text
      if (typeof done === 'function') done()
      return true
    }),
  )
  try {
    const code = await runProgram(args)
    return { code, ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** A chain id that is a text. */
const broken = {
  answer(answer: { body: { networks?: { chain_id: unknown }[] } }, { path }: { path: string }) {
    if (path === '/networks') answer.body.networks![0]!.chain_id = '1'
  },
}

test('default: conforms: 0, every answer by endpoint, and the scores', async () => {
  const { code, stdout } = await run('--record', at('whole.json'))
  expect(code).toBe(0)
  expect(stdout).toContain(
    '\nnetworks\n  conforms       200, 401:missing_auth_header, 401:invalid_api_key\n',
  )
  expect(stdout).toContain('  not provable   401:api_key_revoked: needs a key that was revoked\n')
  expect(stdout).toMatch(/Checks held, worst first:\n {2}\w+ +not driven: \d+\n/)
  expect(stdout).toMatch(/\nScore {7}[1-9]\d* %, the lowest of all: coverage\n/)
  expect(stdout).not.toContain('DIFFERS')
})

test('behavior: differs: 1, with the cell, what was expected and what was seen', async () => {
  proxy.alteration = broken
  const files = ['--against', at('whole.json'), '--record', at('known.json')]
  const { code, stdout, stderr } = await run(...files)
  expect(code).toBe(1)
  expect(stdout).toContain('DIFFERS 200@networks\n')
  expect(stdout).toContain('    expected 1\n    seen     "1"\n')
  expect(stdout).toContain('  DIFFERS        200: ')
  expect(stderr).toContain('drift: shapes: the networks are the five of the interface')
})

test('behavior: --json names each zero and has a date for each claim', async () => {
  proxy.alteration = broken
  const { code, stdout } = await run('--json')
  expect(code).toBe(1)
  const report = JSON.parse(stdout)
  const zeros = new Set(['violating', 'not recorded', 'not driven', 'not provable'])
  for (const { outcome, zero, at } of report.results) {
    expect(zeros.has(zero)).toBe(outcome !== 'conforms')
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(report.measured.at))
  }
  const broke = report.cells.find(({ cell }: { cell: string }) => cell === '200@networks')
  expect(broke).toMatchObject({ outcome: 'differs', zero: 'violating' })
})

test('behavior: a field that is new is drift, although no probe is about it', async () => {
  proxy.alteration = {
    answer(answer, { path }) {
      if (path === '/prime_account' && answer.status === 200) answer.body.name = null
    },
  }
  const { code, stderr } = await run('--against', at('whole.json'))
  expect(code).toBe(1)
  expect(stderr).toContain('GET /prime_account 200: new body.name: null')
})

test('behavior: a baseline lives with known differences, and fails when an axis falls', async () => {
  proxy.alteration = broken
  expect((await run('--baseline', at('known.json'))).code).toBe(0)
  const fallen = await run('--baseline', at('whole.json'))
  expect(fallen.code).toBe(1)
  expect(fallen.stderr).toMatch(/an axis has fallen: shapes: \d+ of \d+ then, \d+ of \d+ now/)
})

test('error: what cannot run is 2', async () => {
  const wrong = await run('--api-key', 'qk_nobody_00000000000000000000')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('refuses the API key')
  const other = await startAlteringProxy(sim.url)
  await other.close()
  // The built program, in a process of its own.
  const nobody = await runCli(['verify', '--base-url', other.url])
  expect(nobody.code).toBe(2)
  expect(nobody.stderr).toContain('no server answers at')
})

test.each([
  [['--fund-url', 'http://127.0.0.1:1', '--fund-cmd', 'pay'], 'cannot both pay'],
  [['--api-key', 'a', '--api-key', 'b'], 'asks with one key, but 2 are given'],
  [['--reporter', 'tap'], '--reporter is "tap", but allowed: pretty, json, junit'],
  [['--against', 'nowhere.json'], '--against nowhere.json cannot be used'],
])('error: %j is refused with 2', async (args, message) => {
  const { code, stderr } = await run(...args)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test('behavior: a failed probe replays with scenario run, on the server where it failed', async () => {
  const file = at('probe.json')
  const write = (name: string) => runHere('corpus', '--probe', name, '--out', file)
  const replay = (...more: string[]) =>
    runHere('scenario', 'run', file, '--base-url', proxy.url, ...more)
  // No simulator, as far as it says.
  const hide = (answer: { headers: Record<string, string> }) => {
    delete answer.headers['x-svc-sim-request-id']
  }
  proxy.alteration = {
    answer(answer, request) {
      hide(answer)
      broken.answer(answer, request)
    },
  }
  await write('the networks are the five of the interface, with their chain ids')
  const failed = await replay()
  expect(failed.stdout).toContain('chain_id to be 1, but it is "1"')
  expect(failed.stdout).toContain('when.0 (call)')
  expect(failed.code).toBe(1)
  proxy.alteration = { answer: hide }
  expect((await replay()).code).toBe(0)
  await write('staleness is checked before the signature')
  const unpaid = await replay()
  expect(unpaid.stdout).toContain('needs money: give --fund-url or --fund-cmd')
  expect((await replay('--fund-url', `${sim.controlUrl}/fund`)).code).toBe(0)
  const unknown = await write('nothing is as it seems')
  expect(unknown.stderr).toMatch(/There is no probe "nothing is as it seems".*prints all \d+/)
  const computed = await write('a plan lives for two minutes')
  expect(computed.stderr).toContain('has no scenario, because it computes')
  expect([unknown.code, computed.code]).toEqual([2, 2])
})

test('behavior: a service with other words conforms behind the proxy of the documentation', async () => {
  const docs = await readFile(new URL('../../docs/verify.md', import.meta.url), 'utf8')
  const [, script] = /^```js file=rename\.mjs\n([\s\S]*?)^```$/m.exec(docs)!
  await writeFile(at('rename.mjs'), script!)
  proxy.alteration = {
    answer(answer) {
      const text = JSON.stringify(answer.body)
      answer.body = JSON.parse(text.replaceAll('svc_wallet_address', 'acme_wallet_address'))
    },
  }
  const renaming = spawn(process.execPath, [at('rename.mjs')], {
    env: { ...process.env, SERVICE_URL: proxy.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(renaming.stdout, 'data')) as [Buffer]
    const url = line.toString().trim()
    const behind = await run('--base-url', url, '--against', at('whole.json'))
    expect(behind.stderr).toContain('0 differences from the run against')
    expect(behind.code).toBe(0)
    const created = await fetch(`${url}/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ signer_type: 'eoa', signer_address: `0x${'ab'.repeat(20)}` }),
    })
    expect(await created.json()).toHaveProperty('svc_wallet_address')
  } finally {
    renaming.kill()
    await once(renaming, 'close')
  }
})
