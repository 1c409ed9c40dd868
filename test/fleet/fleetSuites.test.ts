import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { emptyFolder, installLibrary, killRuns, root } from '../kit/cli.js'
import { startFleet } from '../kit/fleet.js'
import { redisProgram } from '../kit/redis.js'

/**
 * Suites of a user, each a vitest of its own, whose tests lease worlds at one front while workers are killed and started. Here a few;
 * `npm run soak` asks for twelve. Needs `npm run build` before.
 */
const suites = Number(process.env.FLEET_SUITES ?? 2)
const testsOfSuite = 3

afterAll(killRuns)

/** A journey through the service, which says what came of each try. */
const suite = `
import { appendFileSync } from 'node:fs'
import { leaseWorld } from 'svc-sim'
import { createSvcClient, newSigner, unwrap } from 'svc-sim/client'
import { expect, test } from 'vitest'

async function journey() {
  const world = await leaseWorld({ leaseSeconds: 60 })
  try {
    const client = createSvcClient({ baseUrl: world.url, apiKey: world.apiKey })
    const { address, privateKey } = await newSigner()
    const { account_id } = await client.createAccount(address)
    await world.fund({ account_id, asset: 'USDC', amount: '9000000', network: 'optimism' })
    const run = async (kind, intent) => {
      const { execution } = await client.signAndExecute(account_id, kind, intent, privateKey)
      const activity = await client.waitForActivity(account_id, execution.activity_id)
      expect(activity.activity_status).toBe('confirmed')
    }
    const earn = { asset: 'USDC', amount: '4000000', network: 'base', protocol: 'compound' }
    await run('earn', earn)
    await run('withdraw', { ...earn, amount: 'max' })
    const { accounts } = await unwrap(client.api.GET('/accounts'))
    expect(accounts.map((account) => account.account_id)).toEqual([account_id])
  } finally {
    await world.close().catch(() => {})
  }
}

for (let i = 0; i < ${testsOfSuite}; i++)
  test('journey ' + i, { retry: 50, timeout: 120_000 }, async () => {
    const outcome = await journey().then(
      () => 'passed',
      (error) => [error.name, error.code, error.message, error.cause?.message].join(' '),
    )
    appendFileSync(process.env.TALLY, JSON.stringify(outcome) + '\\n')
    if (outcome !== 'passed') throw new Error(outcome)
  })
`

test.skipIf(redisProgram === undefined)(
  `behavior: ${suites} suites at one front while workers are killed: what fails says world_lost, and passes when tried again`,
  async () => {
    const folder = emptyFolder()
    const tally = join(folder, 'tally')
    installLibrary(folder)
    writeFileSync(join(folder, 'journey.test.js'), suite)
    writeFileSync(tally, '')
    const outcomes = (): string[] =>
      readFileSync(tally, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    const fleet = await startFleet()
    const children: ReturnType<typeof spawn>[] = []
    try {
      const worker = () => fleet.worker('--max-worlds', '6', '--drain-seconds', '5')
      const workers = [await worker(), await worker()]
      const { url } = await fleet.front()
      let running = suites
      const ended = Array.from({ length: suites }, async () => {
        const program = join(root, 'node_modules/vitest/vitest.mjs')
        const child = spawn(process.execPath, [program, 'run', '--maxWorkers=1'], {
          cwd: folder,
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, SVC_BASE_URL: url, TALLY: tally },
        })
        children.push(child)
        let told = ''
        child.stdout!.on('data', (chunk) => {
          told += chunk
        })
        const [code] = await once(child, 'close')
        running--
        return { code, told }
      })
      let kills = 0
      while (running > 0) {
        const goal = outcomes().length + 1 + randomInt(suites)
        await vi.waitFor(() => expect(running === 0 || outcomes().length >= goal).toBe(true), {
          timeout: 600_000,
          interval: 20,
        })
        if (running === 0) break
        const at = randomInt(workers.length)
        workers[at]!.run.kill(randomInt(5) === 0 ? 'SIGTERM' : 'SIGKILL')
        kills++
        workers[at] = await worker()
      }
      for (const { code, told } of await Promise.all(ended)) expect(code, told).toBe(0)
      expect(kills).toBeGreaterThan(0)
      const failed = outcomes().filter((outcome) => outcome !== 'passed')
      expect(outcomes().length - failed.length).toBe(suites * testsOfSuite)
      expect(failed.filter((outcome) => !/world_lost|is lost/.test(outcome))).toEqual([])
      if (process.env.FLEET_SUITES)
        console.log(`${kills} workers ended; ${failed.length} tries met a lost world`)
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await fleet.end()
    }
  },
  300_000 + suites * 60_000,
)
