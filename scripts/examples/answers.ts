import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import {
  type Answer,
  bearer,
  filled,
  kindExample,
  recordOf,
  routeOf,
  send,
  serviceRoutes,
} from './recorder.js'
import { shortened, steady } from './steady.js'
import { openUser, type User } from './user.js'

/** What the operations return when all goes well: a simulator with a seed and a frozen clock is asked for each. */

const start = '2026-01-05T09:00:00Z'
const scenario = 'stale-plan-loop'

interface Ask {
  path?: Record<string, string>
  query?: string
  body?: unknown
  /** The status of the answer; the first of the operation when absent. */
  status?: number
  /** What of the answer is recorded; all, with long lists shortened, when absent. */
  keep?: (answer: Answer['body']) => unknown
  /** Called when a stream has begun. */
  onOpen?: () => unknown
}

/** Asks an operation and records its answer, which it returns. */
type Asking = (operationId: string, ask?: Ask) => Promise<Answer['body']>

interface Recording {
  sim: SimulatorHandle
  ask: Asking
  user: User
}

export async function recordAnswers(): Promise<void> {
  const sim = await createSimulator({
    seed: 42,
    clock: `frozen@${start}`,
    advertise: 'http://127.0.0.1:4477',
    bridgeDelayMs: 20,
    maxWorlds: 1,
  })
  try {
    const ask = askerOf(sim)
    const user = await openUser(sim, 5, (body) => ask('createAccount', { body }))
    const recording = { sim, ask, user }
    await recordAccount(recording)
    await recordPlan(recording)
    await recordSimulator(recording)
    await recordFaults(recording)
    await recordScenarios(recording)
    await recordKinds(recording)
    await recordForkAndWorlds(recording)
    await recordEnd(recording)
  } finally {
    await sim.close()
  }
}

function askerOf(sim: SimulatorHandle): Asking {
  return async (operationId, { path, query = '', body, status, keep = shortened, onOpen } = {}) => {
    const route = routeOf(operationId)
    const answer = await send(sim.url, {
      method: route.method,
      path: filled(route.path, path ?? {}) + query,
      body,
      headers: bearer(sim.apiKey),
      onOpen,
    })
    if (answer.status !== (status ?? route.answers[0].status))
      throw new Error(`${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const record = recordOf(operationId)
    record.answers[answer.status] = steady(keep(answer.body))
    if (path) record.path = steady(path)
    if (body !== undefined) record.body = steady(body)
    return answer.body
  }
}

async function recordAccount({ ask, user }: Recording): Promise<void> {
  const account_id = user.id
  for (const name of ['listAccounts', 'getPrimeAccount', 'listNetworks', 'listAssets'])
    await ask(name)
  await ask('listMarkets', { keep: ({ markets }) => ({ markets: oneOfEach(markets) }) })
  await ask('getAccount', { path: { account_id } })
  await ask('fundWallet', {
    body: { account_id, asset: 'USDC', amount: '10000000', network: 'base' },
  })
}

/** The first market of each protocol, with the first of what it lists. */
function oneOfEach(markets: Record<string, unknown>[]): unknown[] {
  const protocols = [...new Set(markets.map(({ protocol }) => protocol))]
  return protocols.map((name) =>
    Object.fromEntries(
      Object.entries(markets.find(({ protocol }) => protocol === name)!).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.slice(0, 1) : value,
      ]),
    ),
  )
}

const whole = (answer: unknown) => answer

/** A plan with its execution, and what can be read of it. */
async function recordPlan({ sim, ask, user }: Recording): Promise<void> {
  const account_id = user.id
  const path = { account_id }
  const plan = await ask('planEarn', { path, body: kindExample('planEarn'), keep: whole })
  await ask('takeSnapshot', { body: { name: 'funded' } })
  await ask('listSnapshots')
  const { activity_id } = await ask('executePlan', { path, body: await user.signed(plan) })
  await ask('advanceClock', { body: { seconds: 121 } })
  const activity = await ask('getActivity', { path: { activity_id }, keep: whole })
  const hash = activity.executions[0].transaction_hash
  await ask('getAccountActivity', { path: { account_id, activity_id }, keep: whole })
  await ask('listActivities', { path, keep: whole })
  const { cursor } = await ask('listEvents', { path })
  await ask('getFolio', { path })
  await ask('getFolioStream', {
    path,
    keep: (message: string) => message.replace(/data: (.*)/, (_, data) => `data: ${pairs(data)}`),
  })
  await ask('explain', { path: { id: activity_id } })
  await ask('listBlocks', { path: { network: 'base' }, query: '?limit=2' })
  await ask('inspectTransaction', { path: { hash } })
  await ask('inspectAccount', { path: { id: account_id } })
  await ask('repeatEvent', { body: { account_id, cursor } })
  const fault = { id: 'slow_earn', on: 'folio', effect: 'timeout' } as const
  await ask('followSimulator', { onOpen: () => sim.faults.add(fault) })
  await sim.faults.clear()
}

const pairs = (data: string) => JSON.stringify(JSON.parse(data).slice(0, 2))

async function recordSimulator({ sim, ask }: Recording): Promise<void> {
  await ask('listExchanges', { query: '?limit=1' })
  await ask('exportScenario')
  await ask('getCoverage')
  await ask('listAllAccounts')
  await ask('getOverview')
  const documents = ['getOpenapi', 'getOpenapi30', 'getControlOpenapi']
  for (const name of documents) await ask(name, { keep: ({ openapi }) => ({ openapi }) })
  await ask('getOpenapiYaml', { keep: (yaml: string) => yaml.slice(0, yaml.indexOf('\n') + 1) })
  await ask('getMetrics', { keep: accountsMetric })
  for (const name of ['getConnection', 'getIndex', 'getTrace', 'getEntryPoints']) await ask(name)
  for (const name of ['getLiveness', 'getReadiness']) await ask(name)
  await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'base' } })
  await ask('getReadiness', { status: 503 })
  await sim.faults.clear()
}

/** The metric of accounts, of all that there are. */
function accountsMetric(metrics: string): string {
  return metrics
    .split('\n')
    .filter((line) => /\bsvc_sim_accounts\b/.test(line))
    .map((line) => `${line}\n`)
    .join('')
}

async function recordFaults({ ask }: Recording): Promise<void> {
  const rule = {
    ...{ id: 'slow_earn', on: 'request', match: { kind: 'earn' } },
    ...{ effect: { latency: { ms: 200 } }, after: 1, times: 2 },
  }
  await ask('addFault', { body: rule })
  await ask('listFaults')
  await ask('removeFault', { path: { id: rule.id } })
  await ask('replaceFaults', { body: [rule] })
  await ask('removeFaults')
  await ask('listEffects')
}

async function recordScenarios({ ask }: Recording): Promise<void> {
  await ask('listScenarios')
  await ask('getScenario', { path: { name: scenario }, keep: whole })
  await ask('runScenario', { path: { name: scenario }, keep: whole })
  const yaml = 'name: one read\nwhen:\n  - call: { path: /assets }\n'
  await ask('runScenarioText', { body: { yaml }, keep: whole })
}

/** The other plan kinds, after what their example bodies need. */
async function recordKinds({ sim, ask, user }: Recording): Promise<void> {
  await user.fund('50000000000')
  await user.fund('20000000000000000000', 'WETH')
  await user.run('earn', { ...kindExample('planEarn'), amount: '20000000000' })
  await user.run('loop-long', kindExample('planLoopLong'))
  // Rewards are owed by then.
  await sim.clock.advance(86_400)
  const path = { account_id: user.id }
  const plan = (operationId: string) =>
    ask(operationId, { path, body: kindExample(operationId), keep: whole })
  for (const { operationId, planKind } of serviceRoutes)
    if (planKind && !['planEarn', 'planRepay'].includes(operationId)) await plan(operationId)
  // A loan of the asset that a wallet has supplied would be a withdrawal.
  await user.run('withdraw', { ...kindExample('planWithdraw'), amount: 'max' })
  await user.run('borrow', kindExample('planBorrow'))
  await plan('planRepay')
  const target = { account_id: user.id, network: 'base' }
  await ask('grantRewards', { body: { ...target, asset: 'MORPHO', amount: '5000000000000000000' } })
  await ask('listPrices')
  // The last price is the recorded one.
  await ask('setPrice', { path: { asset: 'ETH' }, body: { usd: '800' } })
  await ask('liquidate', { body: target })
  await ask('setPrice', { path: { asset: 'ETH' }, body: { usd: '2500' } })
}

/** The past with a change, and a world. */
async function recordForkAndWorlds({ sim, ask }: Recording): Promise<void> {
  await sim.reset()
  const user = await openUser(sim, 5)
  const transfer = kindExample('planTransfer')
  await user.fund('1000000')
  await user.plan('transfer', transfer)
  const before = await cursorOf(sim)
  const change = [{ price: { ETH: '2000' } }]
  const forked = await ask('forkJournal', { body: { before, change }, keep: withSteadyTwins })
  await send(sim.url, { method: 'delete', path: `/_sim/worlds/${forked.world.id}` })
  await recordUnrepeatable(sim)
  const { id } = await ask('leaseWorld', {
    body: { name: 'transfer.test.ts', seed: '7', clock: 'frozen', lease_seconds: 120 },
  })
  const test = 'transfer.test.ts > sends USDC'
  await ask('reportFailedTest', { path: { id }, body: { test } })
  await ask('listWorlds')
  for (const name of ['getWorld', 'renewWorld', 'releaseWorld']) await ask(name, { path: { id } })
}

/** The world of a fork has no seed: its ids and keys are random. */
const steadyTwin = (text: string) =>
  text
    .replace(/\b(acc|act|pln|qi|req)_[0-9a-z]{12}\b/g, '$1_2m8c4v1x9q7z')
    .replace(/0x[0-9a-fA-F]{40}\b/g, `0x${'2'.repeat(40)}`)

function withSteadyTwins({ twins, ...fork }: { twins: Record<string, string> }) {
  const steadyTwins = Object.entries(twins).map(([key, twin]) => [key, steadyTwin(twin)])
  return shortened({ ...fork, twins: Object.fromEntries(steadyTwins) })
}

/** The error of a journal that holds a plan for which money came over JSON-RPC, to a wallet that has another address in another world. */
async function recordUnrepeatable(sim: SimulatorHandle): Promise<void> {
  const user = await openUser(sim, 6)
  const friend = `0x${'2'.repeat(40)}`
  const gift = { asset: 'USDC', amount: '1000000', network: 'base' }
  await user.post('/_sim/fund', { address: friend, ...gift })
  const rpc = async (method: string, params: unknown[]): Promise<void> => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const answer = await send(sim.url, { method: 'post', path: '/rpc/base', body })
    if (answer.body.error) throw new Error(`${method}: ${answer.body.error.message}`)
  }
  const to = loadAddressBook().token('base', 'USDC')!.address
  const args = [user.wallet as Address, 1_000_000n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await rpc('anvil_setBalance', [friend, '0xde0b6b3a7640000'])
  await rpc('anvil_impersonateAccount', [friend])
  await rpc('eth_sendTransactionSync', [{ from: friend, to, data }])
  await user.plan('transfer', kindExample('planTransfer'))
  await user.fund('1')
  const before = await cursorOf(sim)
  const path = '/_sim/journal/fork'
  const { body } = await send(sim.url, { method: 'post', path, body: { before } })
  if (body.error !== 'conflict') throw new Error(`forkJournal: ${JSON.stringify(body)}`)
  recordOf('forkJournal').errors.conflict = steadyTwin(body.message)
}

/** The cursor of the last exchange of the journal. */
async function cursorOf(sim: SimulatorHandle): Promise<number> {
  const { body } = await send(sim.url, { method: 'get', path: '/_sim/journal?limit=1' })
  return body.exchanges.at(-1).cursor
}

/** What ends the frozen clock or the state of the simulator. */
async function recordEnd({ sim, ask }: Recording): Promise<void> {
  const id = await sim.snapshot('funded')
  await sim.snapshot()
  await ask('restoreSnapshot', { path: { id } })
  await ask('deleteSnapshot', { path: { id } })
  await ask('getClock')
  await ask('freezeClock', { body: { at: '2026-02-01T00:00:00Z' } })
  const waits = ask('waitForClock', { body: { seconds: 1 } })
  await sim.clock.advance(1)
  await waits
  await ask('skipClock')
  await ask('freezeClock', { body: { at: '2026-03-01T00:00:00Z' } })
  await ask('resumeClock')
  await sim.snapshot()
  await ask('resetSimulator')
}
