import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaseWorld } from '../../src/index.js'
import { closePage, hasBrowser, launchBrowser, openPage } from '../kit/browser.js'
import { readsOf } from '../kit/chainReads.js'
import { type CliRun, killRuns, type Ready, runCli, startCli, startReady } from '../kit/cli.js'
import { waitUntilGone } from '../kit/processes.js'
import { openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/**
 * The program as people run it, once: it is killed in the middle of a bridged plan and started again on its data folder; then the
 * commands, a world, and the dashboard at that simulator. What each of them promises in full is in the tiers `process` and `browser`.
 * Needs `npm run build` before.
 */

const folder = mkdtempSync(join(tmpdir(), 'svc-sim-smoke-'))
const scenarioFile = fileURLToPath(new URL('../../scenarios/accounts.yaml', import.meta.url))
const args = [
  '--data-dir',
  join(folder, 'data'),
  '--seed',
  '5',
  '--trace',
  join(folder, 'run.trace'),
]

let run: CliRun
let ready: Ready
let nodes: readonly number[]
let user: User

/** What the helpers for users need of a simulator that runs elsewhere. */
const placeOf = ({ url, apiKey, controlUrl }: Ready) => ({
  url,
  apiKey,
  async fund(request: object) {
    const response = await fetch(`${controlUrl}/fund`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as { address: string; balance: string }
  },
})

const transfer = {
  ...{ asset: 'USDC', amount: '8000000', network: 'base' },
  recipient: '0x00000000000000000000000000000000000f41e7',
} as const

beforeAll(async () => {
  ;({ run, ready, nodes } = await startReady(...args))
  user = await openUser(placeOf(ready), generatePrivateKey())
  await user.fund('base', 'USDC', 3_000_000n)
  await user.fund('arbitrum', 'USDC', 10_000_000n)
}, 120_000)
afterAll(() => {
  killRuns()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

test('default: killed in the middle of a bridged plan, it ends the plan after the next start, once', async () => {
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  run.kill('SIGKILL')
  await run.ended
  await waitUntilGone(nodes)
  ;({ run, ready, nodes } = await startReady(...args))
  user = userAt(placeOf(ready), user)
  const activity = await user.follow(executed.body.activity_id)
  expect(activity).toMatchObject({ activity_status: 'confirmed', plan_id: plan.plan_id })
  expect((await user.execute(plan)).status).toBe(404)
  const reads = readsOf({ rpc: (network) => ready.rpc[network]! })
  expect(await reads.balance('base', 'USDC', transfer.recipient)).toBe(8_000_000n)
}, 120_000)

describe('commands at a simulator that runs', () => {
  const at = (): string[] => ['--base-url', ready.url]

  test.each<[name: string, args: () => string[], stdout: RegExp]>([
    [
      'fund',
      () => [
        'fund',
        '--account',
        user.id,
        '--asset',
        'USDC',
        '--amount',
        '7',
        '--network',
        'base',
        ...at(),
      ],
      /now has/,
    ],
    ['env', () => ['env', '--format', 'dotenv', ...at()], /SVC_BASE_URL=/],
    ['why', () => ['why', user.id, ...at()], /plan_not_found/],
    ['coverage', () => ['coverage', ...at()], /execute/],
    ['scenario run', () => ['scenario', 'run', scenarioFile, ...at()], /1 passed/],
    [
      'verify',
      () => ['verify', ...at(), '--api-key', ready.apiKey, '--only', 'read', '--brief'],
      /Checks held/,
    ],
    ['scenario schema', () => ['scenario', 'schema'], /"\$schema"/],
    ['corpus', () => ['corpus'], /"format": "svc-sim corpus 1"/],
    ['openapi', () => ['openapi', '--format', 'yaml'], /^openapi: 3/],
    ['doctor', () => ['doctor'], /anvil/i],
    [
      'exec',
      () => ['exec', '--', process.execPath, '-e', 'console.log(process.env.SVC_BASE_URL)'],
      /http:/,
    ],
  ])(
    'default: %s',
    async (_, words, stdout) => {
      const ended = await runCli(words())
      expect(ended.stderr + ended.stdout).not.toMatch(/defect|TypeError/)
      expect(ended.code, ended.stderr).toBe(0)
      expect(ended.stdout).toMatch(stdout)
    },
    120_000,
  )

  test('error: a bundle that is not there is named', async () => {
    const { code, stderr } = await runCli(['bundle', 'inspect', join(folder, 'none')])
    expect(code).not.toBe(0)
    expect(stderr).toContain(join(folder, 'none'))
  })

  test('default: mcp answers an agent, and ends when the agent closes its end', async () => {
    const agent = startCli(['mcp', ...at()], { stdin: 'pipe' })
    const clientInfo = { name: 'smoke', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    agent.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    await agent.saying('stdout', /"serverInfo"/)
    agent.closeInput()
    expect((await agent.ended).code).toBe(0)
  })

  test('error: a command that does not exist names those that do', async () => {
    const { code, stderr } = await runCli(['strat'])
    expect(code).toBe(2)
    expect(stderr).toContain('start')
  })
})

test('behavior: a leased world is its own, is reset when it comes back, and then is nobody\u2019s', async () => {
  const lease = () => leaseWorld({ url: ready.url, seed: 9n, clock: 'frozen' })
  const first = await lease()
  const guest = await openUser(first, `0x${'77'.repeat(32)}`)
  await guest.fund('base', 'USDC', 5_000_000n)
  expect((await guest.api.get('/accounts')).body.accounts).toHaveLength(1)
  // Neither sees the other.
  expect((await user.api.get(guest.path)).status).toBe(404)
  await first.close()
  expect((await guest.api.get('/accounts').catch(({ status }) => ({ status }))).status).toBe(401)
  const second = await lease()
  expect(second.apiKey).not.toBe(first.apiKey)
  expect((await openUser(second, `0x${'77'.repeat(32)}`)).id).toBe(guest.id)
  await second.close()
}, 120_000)

describe.skipIf(!hasBrowser)('the dashboard', () => {
  test('default: it shows the account and leads to its timeline, without a problem on the page', async () => {
    const browser = await launchBrowser()
    try {
      const { page, problems } = await openPage(browser, `${ready.url}/_sim/ui/`)
      await page.getByRole('link', { name: 'Accounts' }).first().click()
      await page.getByText(user.id).first().click()
      await page.getByText('8.00 USDC ($8.00)').first().waitFor()
      expect(problems).toEqual([])
      await closePage(page)
    } finally {
      await browser.close()
    }
  }, 120_000)
})

test('default: asked to end, it ends with 0 and leaves no process; its data folder is whole, and ui shows its trace', async () => {
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  await waitUntilGone(nodes)
  const check = await runCli(['data', 'check', '--data-dir', join(folder, 'data')])
  expect(check.code, check.stderr).toBe(0)
  const trace = join(folder, 'run.trace')
  expect(statSync(trace).size).toBeGreaterThan(0)
  const shown = startCli(['ui', trace, '--port', '0'])
  const [url] = await shown.saying('stdout', /http:\S+/)
  expect((await fetch(url)).status).toBe(200)
  shown.kill('SIGTERM')
  expect((await shown.ended).code).toBe(0)
}, 120_000)
