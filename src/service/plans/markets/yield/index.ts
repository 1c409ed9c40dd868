import { z } from 'zod'
import type { Log } from '../../../../chain/rpc/node.js'
import type { Protocol } from '../../../../chain/state/marketReads.js'
import type { NetworkBook } from '../../../../deployments/addressBook.js'
import { type ActionContext, isSupply, isWithdrawal, marketIn } from '../../model/contexts.js'
import type { PlanInput } from '../../model/kind.js'
import type { SemanticEvent } from '../../model/semanticEvents.js'
import { amountEvent, logsOf, wordOf } from '../../observe/logs.js'
import { aave } from './aave.js'
import { compound } from './compound.js'
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

/** The protocols that earn. */
const yieldProtocolNames = ['compound', 'aave', 'morpho_vault'] as const
/** Earn and withdraw know vaults as `morpho` too, the name in interface.md; that name needs no market. */
const namesWithMorpho = [...yieldProtocolNames, 'morpho'] as const
export type YieldProtocolName = (typeof namesWithMorpho)[number]

/** A protocol of a request. */
export function yieldProtocolField(description = 'Yield protocol.', example = 'compound') {
  return z
    .enum(yieldProtocolNames, { error: `must be one of ${yieldProtocolNames.join(', ')}` })
    .meta({ description, example })
}

/** The protocol of a request that may leave the choice of the vault to the service. `chosen` says which vault it takes. */
export function protocolOrMorphoField(chosen: string) {
  return z.enum(namesWithMorpho, { error: `must be one of ${namesWithMorpho.join(', ')}` }).meta({
    description: `Yield protocol. \`morpho\` means vaults like \`morpho_vault\`, but does not require \`market\`: without it, the plan uses ${chosen}.`,
    example: 'compound',
  })
}

const marketError = 'must be a market address: 0x and 40 hex digits'

/** Which market of the protocol: the address of a vault, a Comet or a pool. */
export function yieldMarketField(of = 'protocol') {
  return z
    .string({ error: marketError })
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: marketError })
    .optional()
    .meta({
      description: `Market address: the vault’s address when ${of} names vaults, required with \`morpho_vault\`. Compound and Aave have one market per asset, so it may be left out.`,
      example: '0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca',
    })
}

/** Refinement of a body, for `refine(...)`: `morpho_vault` requires the vault's address. The arguments are the two fields' names. */
export function vaultHasMarket(
  protocol = 'protocol',
  market = 'market',
): [(body: object) => boolean, { error: (issue: { input?: unknown }) => string; path: string[] }] {
  const named = (body: unknown): string => String((body as Record<string, unknown>)[protocol])
  return [
    (body) =>
      named(body) !== 'morpho_vault' || (body as Record<string, unknown>)[market] !== undefined,
    {
      error: ({ input }) =>
        `must be a vault address: 0x and 40 hex digits, as GET /markets lists them; ${protocol} "${named(input)}" requires it`,
      path: [market],
    },
  ]
}
