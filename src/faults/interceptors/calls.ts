import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Address } from 'viem'
import { sharedBlockMethod } from '../../chain/rpc/methods.js'
import type { NodeLifecycle } from '../../chain/rpc/nodeLifecycle.js'
import type { ChainStep } from '../../chain/rpc/pipeline.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networks } from '../../deployments/networks.js'
import type { Ids } from '../../lib/ids.js'
import type { QuoteExchange, QuoteReply } from '../../service/aggregator/server.js'
import { addressOf, relayHash } from '../../service/bridge/deposit.js'
import type { DepositService, FillOutcome, RelayerParts } from '../../service/bridge/relayer.js'
import { currentScope, inScope, type RequestScope } from '../../service/context/requestContext.js'
import type { FolioService, LastFolios } from '../../service/folio/read.js'
import type { Folio } from '../../service/folio/schema.js'
import { sendPlan } from '../../service/plans/execute/execution.js'
import type { PlanExecution } from '../../service/plans/execute/executions.js'
import { namesIn } from '../../service/plans/model/fields.js'
import type { PlanAnswer } from '../../service/plans/model/planDetails.js'
import type { PlanAround } from '../../service/plans/pipeline.js'
import type { Store } from '../../service/store/store.js'
import { awaitAnswer } from '../../time/backgroundTasks.js'
import { type FaultSeams, type OpenSeams, requestFaults } from '../engine/seams.js'
import type { ExecuteCall, FaultFacts, QuoteCall } from '../rules/effect.js'

/**
 * The requests on whose behalf accounts execute, by account id. A deposit is mostly noticed by its log, which belongs to no request; this is
 * how the rule in a request's header applies to the bridges of its plan.
 */
export type ExecutingAccounts = Map<string, RequestScope>

/** The seam `execute` around an execution, and `chain.confirmed` at its end. */
export function executeFaults(
  faults: FaultSeams,
  { store, callers }: { store: Store; callers: ExecutingAccounts },
): PlanAround['faults']['execute'] {
  return (execution, carryOut) => {
    if (!faults.hasRules) return carryOut(execution)
    const { account, plan, signature } = execution
    const scope = currentScope()
    if (scope) callers.set(account.accountId, scope)
    const facts = factsOf(execution)
    const call: ExecuteCall = {
      facts,
      account,
      request: { planId: plan.planId, signature },
      signature,
      interceptSend: [],
    }
    const ended = async (activityId: string): Promise<void> => {
      if (callers.get(account.accountId) === scope) callers.delete(account.accountId)
      const activity = await store.activity(account.accountId, activityId)
      if (activity?.status !== 'confirmed') return
      const mined = new Map(
        activity.metadata.flatMap(({ svc_operation_nonce, chain_id, transaction_hash }) =>
          svc_operation_nonce && transaction_hash ? [[chain_id, transaction_hash]] : [],
        ),
      )
      for (const [chainId, hash] of mined) {
        const network = networks.find((each) => each.chainId === chainId)!.name
        const confirmed = { facts: { ...facts, network }, network, hash }
        await faults.intercept('chain.confirmed', confirmed, async () => undefined)
      }
    }
    return faults.intercept('execute', call, () => {
      const send = call.interceptSend.reduceRight((next, intercept) => intercept(next), sendPlan)
      const { signature: changed } = call.request
      return carryOut({ ...execution, signature: changed, sent: signature, via: { send, ended } })
    })
  }
}

function factsOf({ account, kind, plan }: PlanExecution): FaultFacts {
  return {
    account_id: account.accountId,
    kind: kind.kind,
    network: [...new Set(plan.operations.map((operation) => operation.network))],
    asset: namesIn('asset', kind.schema, plan.intent),
  }
}

/** The seams `plan` and, since plans are made from folios, `folio` around the making of a plan. */
export function planFaults(faults: FaultSeams): PlanAround['faults']['create'] {
  return ({ kind, account, intent }, make) => {
    if (!faults.hasRules) return make()
    const facts = { account_id: account.accountId, kind: kind.kind }
    return faults.intercept(
      'plan',
      { facts, account, kind, intent },
      () => faults.intercept('folio', { facts }, make) as Promise<PlanAnswer>,
    )
  }
}

/** The folio service with the seam `folio` around each computation. */
export function withFolioFaults<F extends FolioService & LastFolios>(
  folio: F,
  faults: FaultSeams,
): F {
  const read: FolioService['read'] = (account, options) => {
    if (!faults.hasRules || options.cached) return folio.read(account, options)
    const facts = { account_id: account.accountId }
    const previous = () => folio.last(account)
    return faults.intercept('folio', { facts }, () =>
      faults.intercept('folio.read', { facts, previous }, () => folio.read(account, options)),
    ) as Promise<Folio>
  }
  return { ...folio, read }
}

/** The seam `bridge`, for the relayer. A deposit's wallet identifies its account, since plans bridge the money of their own wallet. */
export function bridgeFaults(
  faults: Pick<OpenSeams, 'hasRules' | 'intercept' | 'set'>,
  { store, book, callers }: { store: Store; book: AddressBook; callers: ExecutingAccounts },
): NonNullable<RelayerParts['intercept']> {
  const serve = async (
    service: DepositService,
    key: string,
    proceed: () => Promise<FillOutcome>,
  ): Promise<FillOutcome> => {
    if (!faults.hasRules) return proceed()
    const { deposit } = service
    const token = addressOf(deposit.relayData.inputToken)
    const accounts = await store.accountsOfWallet(addressOf(deposit.relayData.depositor))
    const facts = {
      account_id: accounts.map(({ accountId }) => accountId),
      network: [deposit.from, deposit.to],
      asset: book.on(deposit.from).tokens.find(({ address }) => address === token)?.symbol ?? token,
    }
    const call = Object.assign(service, { facts, key })
    const intercept = () => faults.intercept('bridge', call, proceed)
    const caller = accounts.map(({ accountId }) => callers.get(accountId)).find((scope) => scope)
    return caller ? inScope(caller, intercept) : intercept()
  }
  return async (service, proceed) => {
    const { deposits } = faults.set
    const key = relayHash(service.deposit)
    deposits.set(key, service.sinceMs)
    const outcome = await serve(service, key, proceed)
    if (outcome.status !== 'interrupted') deposits.delete(key)
    return outcome
  }
}

/** Names the request that needs the quote. */
const callerHeader = 'x-caller'

/** The seam `quote`, on both sides of the aggregator's HTTP API. */
export function quoteFaults(faults: FaultSeams, book: AddressBook) {
  const callers = new Map<string, <T>(work: () => T) => T>()
  let made = 0
  return {
    /** Headers of the client, by which the aggregator's side finds the rule that the request carries, and its facts. */
    headers(): Record<string, string> {
      if (!faults.hasRules) return {}
      const id = String(++made)
      callers.set(id, AsyncLocalStorage.snapshot())
      return { [callerHeader]: id }
    },
    /** Wraps the answers of the aggregator. */
    intercept(
      { req, res }: QuoteExchange,
      proceed: (hiddenBps?: bigint) => Promise<QuoteReply>,
    ): Promise<QuoteReply> {
      const id = String(req.headers[callerHeader])
      const caller = callers.get(id)
      callers.delete(id)
      if (!faults.hasRules) return proceed()
      const call = callOf({ req, res }, book)
      const run = () => faults.intercept('quote', call, () => proceed(call.hiddenBps))
      return caller ? caller(run) : run()
    },
  }
}

function callOf({ req, res }: QuoteExchange, book: AddressBook): QuoteCall {
  const query = new URLSearchParams(req.url?.split('?')[1])
  const network = networks.find(({ chainId }) => String(chainId) === query.get('chainId'))?.name
  const tokens = [query.get('sellToken'), query.get('buyToken')].map((address) =>
    network
      ? book.on(network).tokens.find((token) => token.address === address?.toLowerCase())
      : undefined,
  )
  const left = new AbortController()
  // Of this answer: the connection is kept, and would gather a listener per quote.
  res.once('close', () => left.abort())
  const buyToken = tokens[1]?.address as Address | undefined
  return {
    facts: {
      asset: tokens.flatMap((token) => token?.symbol ?? []),
      ...(network ? { network } : {}),
    },
    network,
    buyToken,
    signal: left.signal,
    hiddenBps: 0n,
  }
}

/** The seam `chain` around every request to a node: by its method when the service sends it, as `rpc` when it comes over `/rpc`. */
export function chainFaultStep(faults: OpenSeams, { stand }: NodeLifecycle): ChainStep {
  /** Notes that the node is stopped, or comes to be, before it has answered. */
  const notingStop = async <T>({ network }: { network: NetworkName }, answer: Promise<T>) => {
    const scope = currentScope()
    if (!scope) return answer
    const onStop = () => stand.isStill && faults.metStopped(scope, network)
    onStop()
    const unsubscribe = stand.onChange(onStop)
    return answer.finally(unsubscribe)
  }
  return (request, next) => {
    const proceed = () => awaitAnswer(stand, notingStop(request, next(request)))
    if (!faults.hasRules) return proceed()
    const { network, method: sent, by } = request
    // Transactions that share a block are one request, under the name that each has alone.
    const own = sent === sharedBlockMethod ? 'eth_sendTransactionSync' : sent
    const method = by === 'client' ? 'rpc' : own
    const call = { facts: { network, method }, method }
    return faults.intercept('chain.request', call, proceed) as ReturnType<ChainStep>
  }
}

const otherAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The id in another form: the same prefix, then 26 characters of another alphabet. */
function otherIdOf(id: string): string {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 26)
  const letters = Array.from(bytes, (byte) => otherAlphabet[byte % otherAlphabet.length])
  return `${id.slice(0, id.indexOf('_') + 1)}${letters.join('')}`
}

/** The ids, in another form for requests that meet `answer.other_ids`: they are drawn as usual, so that a seed gives the same ones. */
export function withOtherIds<I extends Ids>(ids: I): I {
  const other = (draw: () => string) => () => {
    const id = draw()
    return requestFaults().hasOtherIds ? otherIdOf(id) : id
  }
  const { account, plan, activity, intent } = ids
  return {
    ...ids,
    account: other(account),
    plan: other(plan),
    activity: other(activity),
    intent: other(intent),
  }
}
