import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { AaveState } from '../../../../chain/state/aaveState.js'
import { aaveActionsAbi } from '../../../../generated/abis.js'
import { ServiceError } from '../../../../lib/errors.js'
import { leftOutNote, networkStateOf } from '../../assembly/resolve.js'
import type { ActionType } from '../../model/contexts.js'
import type { PlanInput } from '../../model/kind.js'
import {
  fieldsOf,
  type MarketEvent,
  type MarketRequest,
  observeMarket,
  requireCash,
  requireSupply,
  takenOut,
  totalOf,
  type YieldProtocol,
} from './market.js'

const events = {
  AAVE_SUPPLY: {
    topic: toEventSelector('Supply(address,address,address,uint256,uint16)'),
    amountAt: 1,
    type: 'aave_supply',
  },
  AAVE_WITHDRAW: {
    topic: toEventSelector('Withdraw(address,address,address,uint256)'),
    amountAt: 0,
    type: 'aave_withdraw',
  },
} as const satisfies Partial<Record<ActionType, MarketEvent>>

/** Aave V3: a reserve of the network's pool. `market` is the pool's address and may be left out. */
export const aave: YieldProtocol = {
  reads: 'aave',

  find(input, request) {
    const { network, token } = request
    const state = reserveOf(input, request)
    const address = input.book.on(network).aave.pool
    const { supplied } = state
    const found = { network, token, address, name: `Aave V3 ${token.symbol}`, supplied }
    return {
      ...found,
      supply(supply) {
        requireOpen(state, found.name, 'supplies')
        requireRoom(state, found.name, totalOf(supply))
        const call =
          'received' in supply
            ? ({
                functionName: 'supplyReceived',
                args: [address, token.address, supply.besides],
              } as const)
            : ({
                functionName: 'supply',
                args: [address, token.address, supply.amount, supply.isCapped],
              } as const)
        return {
          network,
          script: input.scripts.aaveActions,
          calldata: encodeFunctionData({ abi: aaveActionsAbi, ...call }),
          context: {
            action_type: 'AAVE_SUPPLY',
            ...fieldsOf(input, found, { aave_pool: address }, totalOf(supply)),
          },
        }
      },
      withdraw(asked) {
        requireSupply(found, asked)
        const amount = takenOut(input, state, asked)
        requireOpen(state, found.name, 'withdrawals')
        requireCash(found, state.cash, amount)
        return {
          network,
          script: input.scripts.aaveActions,
          calldata: encodeFunctionData({
            abi: aaveActionsAbi,
            functionName: 'withdraw',
            args: [address, token.address, amount],
          }),
          context: {
            action_type: 'AAVE_WITHDRAW',
            ...fieldsOf(input, found, { aave_pool: address }, amount),
          },
        }
      },
    }
  },

  observe(context, logs, book) {
    if (context.action_type !== 'AAVE_SUPPLY' && context.action_type !== 'AAVE_WITHDRAW') return []
    const { aave_pool, token } = context
    // One pool for all reserves: its events name theirs first.
    const own = logs.filter(({ topics }) => (topics[1] ?? '').endsWith(token.slice(2)))
    return observeMarket(context, own, book, { aave_pool }, events[context.action_type])
  },
}

function reserveOf(input: PlanInput, { network, token, market }: MarketRequest): AaveState {
  const { pool } = input.book.on(network).aave
  const { aaves } = networkStateOf(input, network)
  const state = aaves.find(({ reserve }) => reserve.asset === token.address)
  if (state && (market === undefined || market.toLowerCase() === pool)) return state
  throw new ServiceError(
    'plan_failed',
    `aave market not found: no reserve for ${token.symbol}${market ? ` in a pool at ${market}` : ''} on ${network}${leftOutNote(networkStateOf(input, network), 'aave', { symbol: token.symbol })}; GET /markets lists them`,
  )
}

/** A paused reserve takes part in nothing; a frozen one lets what is there out. */
function requireOpen(state: AaveState, name: string, what: 'supplies' | 'withdrawals'): void {
  const isFrozen = state.isFrozen && what === 'supplies'
  if (state.isActive && !state.isPaused && !isFrozen) return
  const why = !state.isActive ? 'not active' : state.isPaused ? 'paused' : 'frozen'
  throw new ServiceError('plan_failed', `reserve ${why}: ${name} takes no ${what} now`)
}

function requireRoom(state: AaveState, name: string, amount: bigint): void {
  const { supplyCap, totalSupply, accruedToTreasury } = state
  const there = totalSupply + accruedToTreasury
  if (supplyCap === 0n || there + amount <= supplyCap) return
  throw new ServiceError(
    'plan_failed',
    `supply cap exceeded: ${name} holds ${there} of at most ${supplyCap}, ${amount} was asked`,
  )
}
