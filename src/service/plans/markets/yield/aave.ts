import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { AaveState } from '../../../../chain/state/marketReads.js'
import { aaveActionsAbi } from '../../../../generated/abis.js'
import { ServiceError } from '../../../../lib/errors.js'
import { leftOutNote, networkStateOf } from '../../assembly/resolve.js'
import type { PlanInput } from '../../model/kind.js'
import {
  type MarketRequest,
  marketOf,
  requireCash,
  supplyCall,
  type YieldProtocol,
} from './market.js'

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
    const found = { network, token, address, name: `Aave V3 ${token.symbol}`, supplied }
    return marketOf(input, found, {
      where: { aave_pool: address },
      leaving: state.leaving,
      checkSupply(total) {
        requireOpen(state, found.name, 'supplies')
        requireRoom(state, found.name, total)
      },
      checkWithdrawal(amount) {
        requireOpen(state, found.name, 'withdrawals')
        requireCash(found, state.cash, amount)
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
