import type { Address, Hex } from 'viem'
import { dryRun } from '../../chain/transactions/revert.js'
import type { TypedDigest } from '../../chain/wallet/wallet.js'
import type { NetworkName } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { serialQueues } from '../../lib/serialQueues.js'
import { withTextAmounts } from '../../lib/textAmounts.js'
import { isoSeconds, unixSeconds } from '../../time/clock.js'
import type { Touch } from '../context/changes.js'
import { balanceKey, type Ledger } from '../context/ledger.js'
import { note } from '../context/requestContext.js'
import type { AccountRecord, PlanRecord } from '../store/store.js'
import { planDetails, planDigest } from './assembly/details.js'
import { shortfallOf } from './assembly/funding.js'
import { type ConsumeParts, consume, WrongSignature } from './execute/consume.js'
import { submissionsOf } from './execute/execution.js'
import {
  createExecutions,
  type ExecutionParts,
  type Executions,
  type PlanExecution,
} from './execute/executions.js'
import { planOf } from './execute/notFound.js'
import { excessOf } from './markets/position.js'
import { kindOf, type PlanKind } from './model/kind.js'
import type { PlanAnswer, PlanDetails } from './model/planDetails.js'
import { type Assembled, assemble, type PlanRequest, withinTimeout } from './prepare/assemble.js'
import { conflictOf, feeTaken, simulatePlan } from './prepare/simulate.js'

/** The answer of execute (interface.md, "Execution result"). */
export interface ExecuteAnswer {
  plan_id: string
  svc_intent_id: string
  activity_id: string
  status: 'executing'
}

export interface PlanCreation {
  kind: PlanKind
  account: AccountRecord
  /** The body as the kind's schema parsed it. */
  intent: unknown
}

/** What the HTTP layer asks of the planner. Every failure is a `ServiceError`. */
export interface PlanService {
  /** `intent` is the body as the kind's schema parsed it. */
  create(kind: string, account: AccountRecord, intent: unknown): Promise<PlanAnswer>
  execute(
    account: AccountRecord,
    request: { planId: string; signature: string },
  ): Promise<ExecuteAnswer>
}

/** What the simulator puts around the service's own steps. */
export interface PlanAround {
  /** Fault rules; without rules they pass the call on as it is. */
  faults: {
    create(creation: PlanCreation, make: () => Promise<PlanAnswer>): Promise<PlanAnswer>
    execute(
      execution: PlanExecution,
      carryOut: (execution: PlanExecution) => Promise<ExecuteAnswer>,
    ): Promise<ExecuteAnswer>
  }
  /** Resolves when nobody moves the clock. A move waits until all work has ended; under load new executions could delay what is due for ever. */
  released(): Promise<void>
  /**
   * With a frozen clock, requests of one moment act in their order: `myTurn` resolves when all earlier work has ended and what it started is
   * at rest.
   */
  inOrder<T>(work: (myTurn: () => Promise<void>) => Promise<T>): Promise<T>
  /** Told how long it took until a plan was answered (`kind`), or an execution: `ok`, or the code of its error. */
  answered(call: { kind?: string; result: string; seconds: number }): void
}

export interface PlanPipelineParts extends Omit<ConsumeParts, 'inTurn'>, ExecutionParts {
  around: PlanAround
}

export interface PlanPipeline extends PlanService, Omit<Executions, 'begin'> {}

/** Every step between the parsed body, which the kind's schema has validated (http/pipeline/validation.ts), and the answer, in order. */
export function createPlanPipeline(parts: PlanPipelineParts): PlanPipeline {
  const { faults, released, inOrder, answered } = parts.around
  const { begin, ...executions } = createExecutions(parts)
  const inTurn = serialQueues<Address>()

  const make = async (
    { kind, account, intent }: PlanCreation,
    myTurn: () => Promise<void>,
  ): Promise<PlanAnswer> => {
    const createdAtMs = unixSeconds(parts.clock) * 1000
    // Read before the chains, so that those can only be ahead of it.
    const from = parts.ledger.position()
    const nonceCounts = await parts.store.nonceCounts(account.walletAddress)
    const underWay = await parts.store.executions(account.walletAddress)
    const request = { kind, intent, account, known: { nonceCounts, underWay } }
    const built = await assemble(parts, request).catch((error) => {
      const short = shortfallOf(error, account.accountId)
      if (short) note({ type: 'short', ...short })
      const beyond = excessOf(error)
      if (beyond) note({ type: 'beyond', ...beyond })
      throw error
    })
    const signing = await approve(parts, request, built)
    await myTurn()
    return savePlan(parts, request, { built, signing, createdAtMs, from })
  }

  /** Checks, takes the plan out of the store, and begins to send. */
  const carryOut = async (
    execution: PlanExecution,
    myTurn: () => Promise<void>,
  ): Promise<ExecuteAnswer> => {
    await myTurn()
    await released()
    const { account, plan, signature, via } = execution
    const { submissions, activity } = await consume({ ...parts, inTurn }, execution)
    const activity_id = activity.activityId
    const svc_intent_id = activity.intentId!
    const { planId: plan_id } = plan
    note({ type: 'activity', activity_id, plan_id, svc_intent_id, status: 'pending' })
    const { walletAddress: wallet } = account
    parts.ledger.add({ by: 'plan', plan_id, activity_id, wallet }, usedNonces(account, plan))
    // From here on in the background.
    begin({ account, plan, signature: signature as Hex, activity }, submissions, via)
    return { plan_id, svc_intent_id, activity_id, status: 'executing' }
  }

  const timed = async <T>(work: () => Promise<T>, kind?: string): Promise<T> => {
    const begun = performance.now()
    let result = 'ok'
    try {
      return await work()
    } catch (error) {
      result = error instanceof ServiceError ? error.code : 'internal_error'
      throw error
    } finally {
      answered({ ...(kind && { kind }), result, seconds: (performance.now() - begun) / 1000 })
    }
  }

  return {
    ...executions,
    create(name, account, intent) {
      const creation = { kind: kindOf(parts, name), account, intent }
      const inTurn = () => inOrder((myTurn) => make(creation, myTurn))
      return timed(() => faults.create(creation, inTurn), name)
    },
    execute: (account, { planId, signature }) =>
      timed(async () => {
        const plan = await planOf(parts, account, planId)
        const kind = kindOf(parts, plan.kind)
        return faults
          .execute({ account, plan, kind, signature }, (execution) =>
            inOrder((myTurn) => carryOut(execution, myTurn)),
          )
          .catch((error) => {
            if (error instanceof WrongSignature)
              note({ type: 'missigned', plan_id: planId, signer: account.signerAddress })
            throw error
          })
      }),
  }
}

/** The nonces that an execution uses, from its beginning on. */
function usedNonces({ walletAddress }: AccountRecord, { operations }: PlanRecord): Touch[] {
  const address = walletAddress.toLowerCase()
  return operations.map(({ network, nonce }) => ({
    of: 'nonce',
    network,
    address,
    nonces: [nonce],
  }))
}

interface Signing {
  digest: TypedDigest
  details: PlanDetails
}

/**
 * Dry-runs the operations of a plan, and builds in parallel what the client signs.
 *
 * @throws `plan_failed` when an operation would revert or cannot be sent, or conflicts with an execution under way.
 */
async function approve(
  parts: PlanPipelineParts,
  { kind, intent, account, known }: PlanRequest,
  built: Assembled,
): Promise<Signing> {
  const wallet = account.walletAddress
  const { planned } = built
  const forks = [...built.states.keys()].filter((network) => parts.forked?.has(network))
  const simulating = Promise.all([
    simulatePlan(parts, wallet, planned),
    known.underWay.length > 0 ? conflictOf(parts, account, planned, known.underWay) : undefined,
    forks.length > 0 ? feeTaken(parts, wallet, built, forks) : undefined,
    undeployable(parts, wallet, built),
    readForSignature(parts, account, built, forks),
  ])
  // The nodes run the operations meanwhile.
  const digest = planDigest(
    planned.map((item) => item.operation),
    wallet,
  )
  const details = planDetails(planned, {
    wallet,
    digest,
    digestOnly: kind.digestOnly ?? false,
    book: parts.book,
  })
  const [outcomes, broken, fee, obstacle] = await withinTimeout(simulating, parts.readTimeoutMs)
  if (obstacle !== undefined)
    throw new ServiceError('plan_failed', obstacle, {
      hint: 'execute a plan on a network before you impersonate the wallet there; anvil_setNonce to 0x0 over /rpc, a restore or a reset lets it be deployed again',
    })
  if (fee !== undefined) throw new ServiceError('plan_failed', fee)
  for (const outcome of outcomes)
    if (outcome) {
      const why = kind.explain?.(outcome, intent, parts.book)
      const text = `the plan would revert: ${outcome.reason}${why ? `: ${why}` : ''}`
      throw new ServiceError('plan_failed', text, {
        hint: `simulated on chain before it was returned; reverted with ${outcome.reason}`,
      })
    }
  if (broken !== undefined)
    throw new ServiceError('plan_failed', broken, {
      hint: 'wait for that activity to end, or request less',
    })
  return { digest, details }
}

/**
 * Why a wallet cannot be deployed where the plan needs it, or undefined. No contract can be created at an address that has sent a transaction
 * (EIP-7610): impersonating the wallet over JSON-RPC before its first plan does that.
 */
async function undeployable(
  { nodes }: PlanPipelineParts,
  wallet: Address,
  { planned, states }: Assembled,
): Promise<string | undefined> {
  const networks = new Set(planned.map(({ operation }) => operation.network))
  const reasons = await Promise.all(
    [...networks]
      .filter((network) => !states.get(network)?.isDeployed)
      .map(async (network) => {
        const params = [wallet, 'pending']
        const { rpc } = nodes.get(network)
        const nonce = Number(await rpc.request<Hex>('eth_getTransactionCount', params))
        if (nonce === 0) return undefined
        // A deployment gives the address its code and a nonce in one moment: code that is there by now explains the nonce.
        const code = await rpc.request<Hex>('eth_getCode', [wallet, 'latest'])
        return code !== '0x'
          ? undefined
          : `the wallet cannot be deployed on ${network}: its address has sent ${nonce} transaction${nonce === 1 ? '' : 's'} there before it was`
      }),
  )
  return reasons.find((reason) => reason !== undefined)
}

/** Well formed, and of no signer. */
const anySignature: Hex = `0x${'11'.repeat(64)}1b`

/**
 * Makes forks check a signature as an execution will. Only that reads the signer's account. Rejects when it cannot be read: the plan could not
 * be executed.
 */
async function readForSignature(
  { nodes }: PlanPipelineParts,
  account: AccountRecord,
  { planned }: Assembled,
  forks: readonly NetworkName[],
): Promise<void> {
  if (forks.length === 0) return
  const operations = planned.map(({ operation }) => operation)
  await Promise.all(
    submissionsOf(account, { operations }, anySignature)
      .filter(({ network }) => forks.includes(network))
      .map(({ network, call }) => dryRun(nodes.get(network), call)),
  )
}

/** A plan lives two minutes (interface.md, "Limits"). */
const planLifetimeMs = 120_000

async function savePlan(
  { ids, store, clock, ledger, forked }: PlanPipelineParts,
  { kind, intent, account }: PlanRequest,
  {
    built,
    signing,
    createdAtMs,
    from,
  }: {
    built: Assembled
    signing: Signing
    /** When the plan was begun: whole seconds, so that `expires_at` says the very instant. Milliseconds. */
    createdAtMs: number
    /** Where the ledger stood before the chains were read. */
    from: ReturnType<Ledger['position']>
  },
): Promise<PlanAnswer> {
  const { planned, spends, quotes, rewards, states } = built
  const operations = planned.map((item) => item.operation)
  const { digest, details } = signing
  const plan: PlanRecord = {
    planId: ids.plan(),
    accountId: account.accountId,
    kind: kind.kind,
    intent: withTextAmounts(intent),
    quotes: withTextAmounts(quotes),
    rewards: withTextAmounts(rewards),
    details,
    operations,
    spends,
    digest: digest.digest,
    nonceCounts: Object.fromEntries(
      operations.map(({ network }) => [network, states.get(network)!.nonceCount]),
    ),
    createdAtMs,
    expiresAtMs: createdAtMs + planLifetimeMs,
  }
  await store.dropExpiredPlans(clock.now())
  await store.savePlan(plan)
  const symbols = [...new Set(spends.map(({ symbol }) => symbol))]
  const heldBalances = [...states].flatMap(([network, { balances }]) =>
    symbols.flatMap((symbol) => {
      const held = balances.get(symbol)
      return held === undefined ? [] : [[balanceKey(network, symbol), `${held}`] as const]
    }),
  )
  // Some networks number blocks in another way for contracts than for clients.
  const blocks = [...states].flatMap(([network, { blockNumber }]) =>
    forked?.has(network) ? [] : [[network, Number(blockNumber)] as const],
  )
  const place = {
    from,
    balances: Object.fromEntries(heldBalances),
    blocks: Object.fromEntries(blocks),
  }
  const { planId: plan_id, accountId, accountId: account_id, expiresAtMs } = plan
  ledger.planMade(plan_id, { ...place, life: { accountId, createdAtMs, expiresAtMs } })
  const expires_at = isoSeconds(expiresAtMs)
  const facts = { plan_id, account_id, kind: kind.kind, digest: plan.digest, expires_at }
  note({ type: 'plan', ...facts, operations })
  return { plan_id, details, expires_at }
}
