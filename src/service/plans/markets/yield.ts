import type { Address } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { z } from 'zod'
import type { Log } from '../../../chain/rpc/node.js'
import type { AaveState, Protocol, VaultState } from '../../../chain/state/marketReads.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import {
  aaveActionsAbi,
  cometSupplyAbi,
  cometWithdrawAbi,
  vaultActionsAbi,
} from '../../../generated/abis.js'
import { ServiceError } from '../../../lib/errors.js'
import { cometOf, leftOutNote, networkStateOf } from '../assembly/resolve.js'
import { type ActionContext, isSupply, isWithdrawal, marketIn } from '../model/contexts.js'
import type { PlanInput } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { amountEvent, logsOf, wordOf } from '../observe/logs.js'
import {
  type MarketRequest,
  marketOf,
  requireCash,
  supplyCall,
  type YieldMarket,
  type YieldProtocol,
} from './yieldMarket.js'

/** Compound: the base asset of a Comet market. `market` is the Comet's address and may be left out. */
const compound: YieldProtocol = {
  reads: 'comet',
  reports: {
    COMET_SUPPLY: {
      topic: toEventSelector('Supply(address,address,uint256)'),
      amountAt: 0,
      type: 'comet_supply_base',
      by: 'comet',
    },
    COMET_WITHDRAW: {
      topic: toEventSelector('Withdraw(address,address,uint256)'),
      amountAt: 0,
      type: 'comet_withdraw_base',
      by: 'comet',
    },
  },

  find(input, { network, token, market: wanted }) {
    const state = cometOf(networkStateOf(input, network), token, wanted)
    const { address, name } = state.market
    const market = { network, token, address, name, supplied: state.supplied }
    return marketOf(input, market, {
      where: { comet: address },
      leaving: state.leaving,
      supply: (supply, fields) => ({
        script: input.scripts.cometSupply,
        calldata: encodeFunctionData({
          abi: cometSupplyAbi,
          ...supplyCall(address, token.address, supply),
        }),
        context: { action_type: 'COMET_SUPPLY', ...fields },
      }),
      // More than the supply would not fail in a Comet market: it would borrow the rest.
      withdraw: (amount, fields) => ({
        script: input.scripts.cometWithdraw,
        calldata: encodeFunctionData({
          abi: cometWithdrawAbi,
          functionName: 'withdraw',
          args: [address, token.address, amount],
        }),
        context: { action_type: 'COMET_WITHDRAW', ...fields },
      }),
    })
  },
}

/** Aave V3: a reserve of the network's pool. `market` is the pool's address and may be left out. */
export const aave: YieldProtocol = {
  reads: 'aave',
  reports: {
    AAVE_SUPPLY: {
      topic: toEventSelector('Supply(address,address,address,uint256,uint16)'),
      amountAt: 1,
      type: 'aave_supply',
      by: 'aave_pool',
      isShared: true,
    },
    AAVE_WITHDRAW: {
      topic: toEventSelector('Withdraw(address,address,address,uint256)'),
      amountAt: 0,
      type: 'aave_withdraw',
      by: 'aave_pool',
      isShared: true,
    },
  },

  find(input, request) {
    const { network, token } = request
    const state = reserveOf(input, request)
    const address = input.book.on(network).aave.pool
    const { supplied } = state
    const market = { network, token, address, name: `Aave V3 ${token.symbol}`, supplied }
    return marketOf(input, market, {
      where: { aave_pool: address },
      leaving: state.leaving,
      checkSupply(total) {
        requireOpen(state, market.name, 'supplies')
        requireReserveRoom(state, market.name, total)
      },
      checkWithdrawal(amount) {
        requireOpen(state, market.name, 'withdrawals')
        requireCash(market, state.cash, amount)
      },
      supply: (supply, fields) => ({
        script: input.scripts.aaveActions,
        calldata: encodeFunctionData({
          abi: aaveActionsAbi,
          ...supplyCall(address, token.address, supply),
        }),
        context: { action_type: 'AAVE_SUPPLY', ...fields },
      }),
      withdraw: (amount, fields) => ({
        script: input.scripts.aaveActions,
        calldata: encodeFunctionData({
          abi: aaveActionsAbi,
          functionName: 'withdraw',
          args: [address, token.address, amount],
        }),
        context: { action_type: 'AAVE_WITHDRAW', ...fields },
      }),
    })
  },
}

function reserveOf(input: PlanInput, { network, token, market }: MarketRequest): AaveState {
  const { pool } = input.book.on(network).aave
  const { aaveReserves } = networkStateOf(input, network)
  const state = aaveReserves.find(({ reserve }) => reserve.asset === token.address)
  if (state && (market === undefined || market.toLowerCase() === pool)) return state
  throw new ServiceError(
    'plan_failed',
    `aave market not found: no reserve for ${token.symbol}${market ? ` in a pool at ${market}` : ''} on ${network}${leftOutNote(networkStateOf(input, network), 'aave', { symbol: token.symbol })}; GET /markets lists them`,
  )
}

/** A paused reserve refuses everything; a frozen one still allows withdrawals. */
function requireOpen(state: AaveState, name: string, what: 'supplies' | 'withdrawals'): void {
  const isFrozen = state.isFrozen && what === 'supplies'
  if (state.isActive && !state.isPaused && !isFrozen) return
  const why = !state.isActive ? 'not active' : state.isPaused ? 'paused' : 'frozen'
  throw new ServiceError('plan_failed', `reserve ${why}: ${name} takes no ${what} now`)
}

function requireReserveRoom(state: AaveState, name: string, amount: bigint): void {
  const { supplyCap, totalSupply, accruedToTreasury } = state
  const there = totalSupply + accruedToTreasury
  if (supplyCap === 0n || there + amount <= supplyCap) return
  throw new ServiceError(
    'plan_failed',
    `supply cap exceeded: ${name} holds ${there} of at most ${supplyCap}, ${amount} was asked`,
  )
}

type VaultCall =
  | { functionName: 'deposit'; args: [vault: Address, amount: bigint, isCapped: boolean] }
  | { functionName: 'depositReceived'; args: [vault: Address, besides: bigint] }
  | { functionName: 'withdraw'; args: [vault: Address, amount: bigint] }

/** Vaults on Morpho Blue (ERC-4626). `market` is the vault's address; see `chosenVault` for requests without it. */
const vault: YieldProtocol = {
  reads: 'vaults',
  reports: {
    MORPHO_VAULT_SUPPLY: {
      topic: toEventSelector('Deposit(address,address,uint256,uint256)'),
      amountAt: 0,
      type: 'morpho_vault_supply',
      by: 'morpho_vault',
    },
    MORPHO_VAULT_WITHDRAW: {
      topic: toEventSelector('Withdraw(address,address,address,uint256,uint256)'),
      amountAt: 0,
      type: 'morpho_vault_withdraw',
      by: 'morpho_vault',
    },
  },

  find(input, request) {
    const { network, token } = request
    const state = vaultOf(input, request)
    const { address, name } = state.vault
    const market = { network, token, address, name, supplied: state.supplied }
    const encode = (call: VaultCall) => ({
      script: input.scripts.vaultActions,
      calldata: encodeFunctionData({ abi: vaultActionsAbi, ...call }),
    })
    return marketOf(input, market, {
      where: { morpho_vault: address },
      leaving: state.leaving,
      checkSupply: (total) => requireVaultRoom(state, total),
      checkWithdrawal: (amount) => requireCash(market, state.withdrawable, amount),
      supply: (supply, fields) => ({
        ...encode(
          'received' in supply
            ? { functionName: 'depositReceived', args: [address, supply.besides] }
            : { functionName: 'deposit', args: [address, supply.amount, supply.isCapped] },
        ),
        context: { action_type: 'MORPHO_VAULT_SUPPLY', ...fields },
      }),
      withdraw: (amount, fields) => ({
        ...encode({ functionName: 'withdraw', args: [address, amount] }),
        context: { action_type: 'MORPHO_VAULT_WITHDRAW', ...fields },
      }),
    })
  },
}

function vaultOf(input: PlanInput, request: MarketRequest): VaultState {
  const { network, token, market } = request
  const networkState = networkStateOf(input, network)
  const vaults = networkState.vaults.filter(({ vault }) => vault.asset === token.address)
  const state = market
    ? vaults.find(({ vault }) => vault.address === market.toLowerCase())
    : chosenVault(vaults, request)
  if (state) return state
  throw new ServiceError(
    'plan_failed',
    `morpho vault not found: no vault for ${token.symbol}${market ? ` at ${market}` : ''} on ${network}${leftOutNote(networkState, 'vaults', { symbol: token.symbol, id: market })}; GET /markets lists them`,
  )
}

/**
 * The vault of a request that names none: deposits go to the first in the order of `GET /markets`, withdrawals come from the only one with a
 * position.
 */
function chosenVault(
  vaults: readonly VaultState[],
  { isWithdrawal, token, network }: MarketRequest,
): VaultState | undefined {
  if (!isWithdrawal) return vaults[0]
  const held = vaults.filter(({ supplied }) => supplied > 0n)
  if (held.length === 1 || vaults.length === 0) return held[0]
  if (held.length === 0)
    throw new ServiceError(
      'plan_failed',
      `route not found: the wallet has no ${token.symbol} position in a Morpho vault on ${network}`,
    )
  const positions = held.map(
    ({ vault, supplied }) => `${supplied} in ${vault.name} (${vault.address})`,
  )
  throw new ServiceError(
    'plan_failed',
    `ambiguous market: the wallet has ${token.symbol} in ${held.length} Morpho vaults on ${network}: ${positions.join(', ')}; name one of them as market`,
  )
}

function requireVaultRoom({ vault, room }: VaultState, amount: bigint): void {
  if (amount <= room) return
  throw new ServiceError(
    'plan_failed',
    `supply cap exceeded: ${vault.name} takes at most ${room} more of ${vault.assetSymbol}, ${amount} was asked`,
  )
}

/**
 * Earn, withdraw, migrate and other kinds that supply build their actions from these.
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

const yieldProtocolNames = ['compound', 'aave', 'morpho_vault'] as const
/** Earn and withdraw know vaults as `morpho` too, the name in interface.md; that name needs no market. */
const namesWithMorpho = [...yieldProtocolNames, 'morpho'] as const
type YieldProtocolName = (typeof namesWithMorpho)[number]

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
