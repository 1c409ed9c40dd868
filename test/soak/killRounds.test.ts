import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { SimulatorHandle } from '../../src/index.js'
import { createClient } from '../kit/client.js'
import { isAlive, markedBy, waitUntilGone } from '../kit/processes.js'
import { expectTold, startOn, type Told, untilConfirmed, work } from '../kit/told.js'
import { openUser, userAt } from '../kit/user.js'

/**
 * One data folder, round after round: it is started, found whole, worked on, and something of it is killed. Here a few rounds;
 * `npm run soak` asks for a thousand.
 */
const rounds = Number(process.env.KILL_ROUNDS ?? 2)

/** Accounts are given up after so many rounds, or each start would look at everything that ever was. */
const roundsOfAnAccount = 10

let dir: string | undefined
afterAll(() => dir && rm(dir, { recursive: true, force: true }))

type Started = Awaited<ReturnType<typeof startOn>>

const simOf = ({ ready }: Started): SimulatorHandle => ready as unknown as SimulatorHandle

/** Two accounts: what one sends is on its network, and has to be bridged for the other. */
async function newAccounts(started: Started): Promise<Told[]> {
  const open = async (network: string): Promise<Told> => {
    const user = await openUser(simOf(started), generatePrivateKey())
    const gift = { account_id: user.id, asset: 'USDC', network, amount: '1000000000' }
    expect((await createClient(started.ready).post('/_sim/fund', gift)).status).toBe(200)
    return { user, confirmed: new Map(), events: [], unused: undefined }
  }
  return Promise.all(['base', 'arbitrum'].map(open))
}

/** Kills the process, one node, or everything; in the end nothing of the run is left. */
async function kill({ run }: Started): Promise<string> {
  const anvils = markedBy(run.mark, 'anvil')
  const victims = {
    'the process': [run.pid],
    'a node': [anvils[randomInt(anvils.length)]!],
    'all of them': [...anvils, run.pid],
  }
  const names = Object.keys(victims) as (keyof typeof victims)[]
  const name = names[randomInt(names.length)]!
  for (const pid of victims[name]) process.kill(pid, 'SIGKILL')
  if (isAlive(run.pid) && name !== 'a node') await run.ended
  return name
}

test(
  `behavior: ${rounds} times killed under load: whatever was told is there`,
  async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-sim-kill-'))
    let told: Told[] = []
    for (let round = 0; round < rounds; round++) {
      const started = await startOn(dir)
      await expectTold(started.ready, told)
      if (round % roundsOfAnAccount === 0) told = await newAccounts(started)
      for (const each of told) each.user = userAt(simOf(started), each.user)
      const working = told.map((each) => work(each.user, each))
      const [plain] = told as [Told, Told]
      await untilConfirmed(plain, plain.confirmed.size + randomInt(4))
      const anvils = markedBy(started.run.mark, 'anvil')
      const victim = await kill(started)
      if (process.env.KILL_ROUNDS) console.log(`round ${round + 1}: killed ${victim}`)
      // The node is started again and work goes on; then the process is killed.
      if (victim === 'a node') {
        await untilConfirmed(plain, plain.confirmed.size + 1)
        started.run.kill('SIGKILL')
      }
      await started.run.ended
      await waitUntilGone(anvils)
      await Promise.all(working)
    }
    const last = await startOn(dir)
    await expectTold(last.ready, told)
    last.run.kill('SIGTERM')
    expect((await last.run.ended).code).toBe(0)
  },
  60_000 + rounds * 120_000,
)
