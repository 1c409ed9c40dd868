import type { Log } from '../../../../chain/rpc/node.js'
import type { Protocol } from '../../../../chain/state/networkState.js'
import type { NetworkBook } from '../../../../deployments/addressBook.js'
import { type ActionContext, isSupply, isWithdrawal, marketIn } from '../../model/contexts.js'
import type { PlanInput } from '../../model/kind.js'
import type { SemanticEvent } from '../../model/semanticEvents.js'
import { amountEvent, logsOf, wordOf } from '../../observe/logs.js'
import { aave } from './aave.js'
import { compound } from './compound.js'
import type { YieldProtocolName } from './fields.js'
import type { MarketRequest, YieldMarket, YieldProtocol } from './market.js'
import { vault } from './vault.js'

/**
 * Yield markets, whatever the protocol: what earn, withdraw, migrate and other kinds that supply build their actions from.
 *
 *     const market = yieldMarket(world, 'aave', { network, token, market: undefined })
 *     actions: [market.supply({ amount, isCapped: false })]
 */
const protocols: Record<YieldProtocolName, YieldProtocol> = {
  compound,
  aave,
  morpho: vault,
  morpho_vault: vault,
}

/** The market that a request means, with the wallet's position. `plan_failed` when there is none. */
export function yieldMarket(
  input: PlanInput,
  protocol: YieldProtocolName,
  request: MarketRequest,
): YieldMarket {
  return protocols[protocol].find(input, request)
}

/** What a kind's `reads` must name for these protocols. */
export function yieldReads(...names: readonly YieldProtocolName[]): Protocol[] {
  return [...new Set(names.map((name) => protocols[name].reads))]
}

/** What a supply or withdraw action of any of the protocols did; nothing for other actions. */
export function observeYield(
  context: ActionContext,
  logs: readonly Log[],
  book: NetworkBook,
): SemanticEvent[] {
  if (!isSupply(context) && !isWithdrawal(context)) return []
  const { topic, amountAt, type, by, isShared } = reports[context.action_type]!
  const { token, price } = context
  const market = marketIn(context)
  return logsOf(logs, market, topic)
    .filter(({ topics }) => !isShared || topics[1]?.endsWith(token.slice(2)))
    .map((log) => {
      const worth = { amount: wordOf(log, amountAt), price }
      return amountEvent(type, [log], book, worth, { [by]: market, token }) as SemanticEvent
    })
}

const reports = { ...compound.reports, ...aave.reports, ...vault.reports }
