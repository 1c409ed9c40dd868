import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Faucet } from '../../src/chain/funds/faucet.js'
import { type Readiness, readinessOf } from '../../src/chain/process/health.js'
import { createScenarioRuns } from '../../src/clients/scenarios/runs.js'
import type { Snapshots } from '../../src/control/snapshots.js'
import { createSystemLock } from '../../src/control/systemLock.js'
import type { Timekeeper } from '../../src/control/time.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { perNetwork } from '../../src/deployments/networks.js'
import type { Faults } from '../../src/faults/engine/engine.js'
import type { RuleView } from '../../src/faults/rules/faultRules.js'
import { createApp } from '../../src/http/app.js'
import type { ApiKey } from '../../src/http/core/apiKeys.js'
import type { AppDeps, PlanKindInfo } from '../../src/http/core/types.js'
import { createIds } from '../../src/lib/ids.js'
import { createJournal } from '../../src/observe/journal/journal.js'
import { createStream } from '../../src/observe/stream/stream.js'
import { type Folio, folioSections } from '../../src/service/folio/schema.js'
import { amountOrMax, assetField, networkField } from '../../src/service/plans/model/fields.js'
import type { PlanService } from '../../src/service/plans/pipeline.js'
import { createStore } from '../../src/service/store/createStore.js'
import type { NewActivity } from '../../src/service/store/store.js'
import { createClock, isoSeconds } from '../../src/time/clock.js'
import { type Client, createClient } from './client.js'
import { example, planExample } from './examples.js'

/**
 * The HTTP layer alone: the real app, store and address book on a free port; the planner, portfolio reader and faucet behind
 * it are replaced by small ones that a test can look into and make fail. Only for the tests of `src/http`.
 */
export interface HttpWorld extends AsyncDisposable {
  deps: AppDeps
  server: Server
  client: Client
  /** What the app wrote as errors. */
  errors: { message: string; cause: unknown }[]
  stop(): void
}

export const keys = {
  first: { ...key('qk_first0_00000000000000000000'), primeId: 'svc_first0000000' },
  second: { ...key('qk_second_00000000000000000000'), primeId: 'svc_second000000' },
  revoked: { ...key('qk_revokd_00000000000000000000'), revoked: true },
} satisfies Record<string, ApiKey>

/** A plan kind with the usual fields. */
export const earnKind: PlanKindInfo = {
  kind: 'earn',
  path: 'earn',
  summary: 'Deposit',
  description: 'Deposits.',
  schema: z
    .object({
      amount: amountOrMax('How much.'),
      asset: assetField('What.'),
      network: networkField,
      protocol: z.enum(['compound', 'aave']),
    })
    .meta({ id: 'Earn' }),
}

/** Another one, whose path is not its kind. */
export const claimKind: PlanKindInfo = {
  kind: 'claimRewards',
  path: 'claim-rewards',
  summary: 'Claim',
  description: 'Claims.',
  schema: z.object({ asset: assetField('Which.', 'COMP') }).meta({ id: 'ClaimRewards' }),
}

/** Starts the app on a free port of 127.0.0.1. */
export async function startHttpWorld(
  overrides: { [Group in keyof AppDeps]?: Partial<AppDeps[Group]> } = {},
): Promise<HttpWorld> {
  const errors: HttpWorld['errors'] = []
  const stopping = new AbortController()
  const given: AppDeps = {
    access: {
      keys: Object.values(keys),
      bind: { host: '127.0.0.1', allowedHosts: [], corsOrigins: ['loopback'] },
    },
    service: {
      ids: createIds(1n),
      store: createStore({}),
      book: loadAddressBook(),
      plans: examplePlans,
      planKinds: [earnKind, claimKind],
      folio: { read: async () => emptyFolio() },
    },
    control: {
      timekeeper: standingTime,
      snapshots: noSnapshots,
      faucet: memoryFaucet(),
      prices: { all: async () => ({}), set: async (asset) => ({ moved: [asset], was: undefined }) },
      liquidator: { liquidate: async () => [] },
      rewards: { grant: async ({ amount, ...rest }) => ({ ...rest, owed: amount }) },
      folio: { look: async () => ({ folio: emptyFolio(), missing: [] }) },
      values: { of: () => [], latest: () => new Map(), settled: async () => {} },
      sendAgain: async () => undefined,
      expectedFill: () => undefined,
      staleNow: async () => undefined,
      shortNow: async () => undefined,
    },
    chains: {
      rpc: { handle: (network, _req, res) => res.end(JSON.stringify({ network })) },
      readiness: async () => readiness(true),
      switches: () => [],
      heads: async () => [],
      inspect: async () => ({ transaction: undefined, silent: [] }),
      blocks: async () => [],
    },
    faults: noFaults,
    timing: {
      clock: { ...createClock(), now: () => 1767603600_000 },
      settled: async () => {},
      counted: (work) => work(),
      clientRead: () => {},
      lock: createSystemLock(),
      stopping: stopping.signal,
    },
    records: {
      journal: createJournal({ now: () => 1767603600_000 }),
      coverage: new Map(),
      metrics: async () => '# no figures\n',
      stream: createStream(),
      log: { debug: () => {}, error: (message, cause) => errors.push({ message, cause }) },
    },
    // They can be read; there is nothing in which to play them.
    scenarios: createScenarioRuns({
      target: { url: 'http://127.0.0.1:1', apiKey: keys.first.key },
      ownFolder: undefined,
      publish: () => {},
    }),
  }
  const deps: AppDeps = {
    access: { ...given.access, ...overrides.access },
    service: { ...given.service, ...overrides.service },
    control: { ...given.control, ...overrides.control },
    chains: { ...given.chains, ...overrides.chains },
    faults: { ...given.faults, ...overrides.faults },
    timing: { ...given.timing, ...overrides.timing },
    records: { ...given.records, ...overrides.records },
    scenarios: { ...given.scenarios, ...overrides.scenarios },
    ...(overrides.trace && { trace: overrides.trace as NonNullable<AppDeps['trace']> }),
  }
  const server = createServer(createApp(deps))
  // As the program itself: Node's five seconds would cut a connection while a busy machine is about to send on it.
  server.keepAliveTimeout = 95_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ url, apiKey: keys.first.key, planKinds: deps.service.planKinds })
  return {
    deps,
    server,
    client,
    errors,
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await deps.service.store.close()
    },
  }
}

/** Creates a sub-account over the API; returns its id and wallet. */
export async function createAccount(
  world: HttpWorld,
  signer: string = example.signer,
  apiKey: string = keys.first.key,
): Promise<{ id: string; wallet: string }> {
  const reply = await world.client.post(
    '/accounts',
    { signer_type: 'eoa', signer_address: signer },
    { apiKey },
  )
  return { id: reply.body.account_id, wallet: reply.body.svc_wallet_address }
}

/** Puts an activity into the store the way execution does: by consuming a plan. */
export async function recordActivity(
  world: HttpWorld,
  activity: Partial<NewActivity> & { activityId: string; accountId: string },
): Promise<void> {
  const planId = activity.planId ?? `pln_${activity.activityId.slice(4)}`
  await world.deps.service.store.savePlan({
    planId,
    accountId: activity.accountId,
    kind: 'earn',
    intent: {},
    quotes: [],
    details: planExample.details,
    operations: [],
    digest: example.word('b'),
    nonceCounts: {},
    createdAtMs: 0,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
  })
  const record: NewActivity = {
    planId,
    intentId: example.intentId,
    status: 'pending',
    createdAtMs: example.unix * 1000,
    updatedAtMs: example.unix * 1000,
    metadata: [],
    ...activity,
  }
  const result = await world.deps.service.store.consumePlan(planId, example.wallet, record, '0x')
  if (result !== 'consumed') throw new Error(`The plan of the activity was ${result}`)
}

/** Always the example's time. */
const standingTime: Timekeeper = {
  time: () => ({ now: isoSeconds(1767603600_000), ms: 1767603600_000, mode: 'frozen' }),
  advance: async () => standingTime.time(),
  freeze: async () => standingTime.time(),
  resume: async () => standingTime.time(),
  auto: async () => standingTime.time(),
  wait: async () => standingTime.time(),
}

/** Answers the documented examples. */
export const examplePlans: PlanService = {
  create: async () => planExample,
  execute: async (_account, { planId }) => ({
    plan_id: planId,
    svc_intent_id: example.intentId,
    activity_id: example.activityId,
    status: 'executing',
  }),
}

/** Never armed: what faults do is tested with a whole simulator. */
export const noFaults: Faults = {
  seams: { hasRules: false, intercept: (_seam, _call, proceed) => proceed() },
  add: async () => ruleView,
  set: async () => [],
  list: () => [],
  remove: async () => false,
  clear: async () => {},
  addForRequest: async () => async () => {},
}

const ruleView: RuleView = { id: 'fault_1', on: 'request', match: {}, after: 0, seen: 0, hits: 0 }

/** There are no chains to take a snapshot of. */
const noSnapshots: Snapshots = {
  take: async (name) => ({ id: 'snp_1', name, at: example.time }),
  list: () => [],
  restore: async (id) => ({ restored: { id, name: undefined, at: example.time }, dropped: [] }),
  delete: async (id) => ({ id, name: undefined, at: example.time }),
  reset: async () => ({ at: example.time, dropped: [] }),
  markStart: async () => {},
}

/** All sections, nothing in them. */
export function emptyFolio(): Folio {
  return Object.fromEntries(folioSections.map((name) => [name, {}])) as Folio
}

/** A readiness of all networks alike. */
export function readiness(ready: boolean): Readiness {
  const state = ready ? { ready } : { ready, error: 'the node does not answer' }
  return readinessOf(perNetwork(({ chainId }) => ({ chain_id: chainId, ...state })))
}

function memoryFaucet(): Faucet {
  const balances = new Map<string, bigint>()
  return {
    async fund({ address, asset, amount, network }) {
      const place = `${network}/${asset}/${address}`
      const balance = (balances.get(place) ?? 0n) + amount
      balances.set(place, balance)
      return { address, asset, network, balance }
    },
  }
}

function key(text: string): ApiKey {
  return {
    key: text,
    primeId: 'svc_revoked00000',
    name: 'Test Co',
    email: 'dev@example.test',
    createdAt: '2026-01-01T00:00:00Z',
    revoked: false,
  }
}
