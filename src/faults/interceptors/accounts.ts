import { addressOf, depositKey } from '../../bridge/deposit.js'
import type { RelayerParts } from '../../bridge/relayer.js'
import type { AddressBook } from '../../chain/deployments/addressBook.js'
import { type NetworkName, networks } from '../../chain/deployments/networks.js'
import { markWrite, writesState } from '../../chain/node/directWrites.js'
import type { Node, Nodes } from '../../chain/node/node.js'
import type { RpcProxyOptions } from '../../chain/node/proxy.js'
import type { Rpc } from '../../chain/node/rpc.js'
import { currentScope, inScope, type RequestScope } from '../../lib/requestContext.js'
import { kindOf } from '../../plans/execute/executions.js'
import { sendPlan } from '../../plans/execute/relay.js'
import type { PlanLifecycle } from '../../plans/lifecycle.js'
import { namesIn } from '../../plans/model/fields.js'
import type { PlanKind } from '../../plans/model/kind.js'
import type { PlanRecord, Store } from '../../store/store.js'
import type { ExecuteCall, FaultFacts } from '../effect.js'
import type { Faults } from '../engine.js'

/**
 * On whose behalf accounts execute, by account id. A deposit is mostly heard of through its log, which comes for nobody; so the
 * rule in a request's header finds the bridges of its plan.
 */
export type ExecutingAccounts = Map<string, RequestScope>

/** The plan service with the seam `execute` around it, and `chain.confirmed` at the end of each execution. */
export function withExecuteFaults(
  plans: PlanLifecycle,
  faults: Faults,
  parts: { store: Store; callers: ExecutingAccounts; kinds: readonly PlanKind[] },
): PlanLifecycle {
  const { store, callers, kinds } = parts
  return {
    ...plans,
    async execute(account, request) {
      if (!faults.armed) return plans.execute(account, request)
      const scope = currentScope()
      if (scope) callers.set(account.accountId, scope)
      const plan = await store.plan(account.accountId, request.planId)
      const facts = plan ? factsOf(plan, kinds) : { account_id: account.accountId }
      const call: ExecuteCall = { facts, account, request: { ...request }, send: sendPlan }
      return faults.around('execute', call, () =>
        plans.execute(account, call.request, {
          send: call.send,
          ended: async (activityId) => {
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
              await faults.around('chain.confirmed', confirmed, async () => undefined)
            }
          },
        }),
      )
    },
  }
}

/** The nodes with the seam `chain` around every request to them. */
export function withChainFaults(nodes: Nodes, faults: Faults): Nodes {
  const wrapped = new Map(
    nodes.all().map((node): [NetworkName, Node] => {
      const { network, rpc } = node
      const through: Rpc['request'] = <T>(method: string, params?: readonly unknown[]) => {
        const proceed = () => rpc.request<T>(method, params)
        if (!faults.armed) return proceed()
        const call = { facts: { network, method }, method }
        return faults.around('chain.request', call, proceed) as Promise<T>
      }
      const request: Rpc['request'] = async (method, params) => {
        const result = await through(method, params)
        if (writesState(method)) await markWrite(joined)
        return result as never
      }
      const joined: Node = { ...node, rpc: { ...rpc, request } }
      return [network, joined]
    }),
  )
  const all = [...wrapped.values()]
  return { ...nodes, get: (network) => wrapped.get(network) ?? nodes.get(network), all: () => all }
}

/** The seam `chain` around every message that comes over JSON-RPC. */
export function rpcFaults(faults: Faults): NonNullable<RpcProxyOptions['around']> {
  return (call, proceed) => {
    if (!faults.armed) return proceed()
    const facts = { network: call.network, method: 'rpc' }
    return faults.around('chain.request', { facts, method: 'rpc' }, proceed) as ReturnType<
      typeof proceed
    >
  }
}

/** The seam `bridge`, as the relayer takes it. Plans bridge their own wallet's money, so the wallet tells the account. */
export function bridgeFaults(
  faults: Faults,
  { store, book, callers }: { store: Store; book: AddressBook; callers: ExecutingAccounts },
): NonNullable<RelayerParts['around']> {
  return async (service, proceed) => {
    if (!faults.armed) return proceed()
    const { deposit } = service
    const token = addressOf(deposit.relayData.inputToken)
    const accounts = await store.accountsOfWallet(addressOf(deposit.relayData.depositor))
    const facts = {
      account_id: accounts.map(({ accountId }) => accountId),
      network: [deposit.from, deposit.to],
      asset: book.on(deposit.from).tokens.find(({ address }) => address === token)?.symbol ?? token,
    }
    const call = Object.assign(service, { facts, key: depositKey(deposit) })
    const around = () => faults.around('bridge', call, proceed)
    const caller = accounts.map(({ accountId }) => callers.get(accountId)).find((scope) => scope)
    return caller ? inScope(caller, around) : around()
  }
}

function factsOf(
  { accountId, kind, operations, intent }: PlanRecord,
  kinds: readonly PlanKind[],
): FaultFacts {
  return {
    account_id: accountId,
    kind,
    network: [...new Set(operations.map((operation) => operation.network))],
    asset: namesIn('asset', kindOf({ kinds }, kind).schema, intent),
  }
}
