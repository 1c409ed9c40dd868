import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { ExecutionRecord } from '../../store/store.js'
import type { ActivityItem } from '../model/activityItem.js'
import type { PlannedContext } from '../model/contexts.js'
import { openOperations } from './progress.js'
import {
  activityNames,
  describeReservations,
  reservationsOn,
  withoutReserved,
} from './reservations.js'

const base = loadAddressBook().on('base')
const comet = base.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const [bridge, earn] = ['0xb1', '0xea'] as const
const friend = '0x00000000000000000000000000000000000f41e7'

interface Step {
  nonce: Hex
  network: NetworkName
  context: Partial<PlannedContext>
  contingent?: true
  success?: boolean | null
}

/** An execution with these operations. */
function executionOf(steps: readonly Step[], spends: object[] = []): ExecutionRecord {
  return {
    account: { walletAddress: '0x2222222222222222222222222222222222222222' },
    plan: {
      spends,
      operations: steps,
      details: {
        svc_operation_actions: steps.map(({ context }) => ({
          action: { action_context: context },
        })),
      },
    },
    activity: {
      activityId: 'act_1',
      metadata: steps.map(
        ({ nonce, context, success = null }) =>
          ({
            success,
            svc_operation_nonce: nonce,
            action_type: context.action_type,
            action_context: context,
          }) as Partial<ActivityItem>,
      ),
    },
  } as unknown as ExecutionRecord
}

const transfer: Step = {
  nonce: earn,
  network: 'base',
  context: { action_type: 'TRANSFER', amount: '70', asset_symbol: 'USDC', recipient: friend },
}
const usdc = [{ network: 'base', symbol: 'USDC', amount: '70' }]

function reservedOn(execution: ExecutionRecord, done: readonly Hex[] = []) {
  const state = { network: 'base', morphoMarkets: [], comets: [], aaveReserves: [], vaults: [] }
  const seen = { ...state, done: new Set(done) } as unknown as NetworkState & { done: Set<Hex> }
  return reservationsOn([execution], seen, base)
}

test('default: an operation reserves what it spends until it has run or failed', () => {
  expect(reservedOn(executionOf([transfer], usdc))).toEqual([
    { activityId: 'act_1', network: 'base', kind: 'token', symbol: 'USDC', amount: 70n },
  ])
  expect(reservedOn(executionOf([transfer], usdc), [earn])).toEqual([])
  for (const success of [true, false])
    expect(reservedOn(executionOf([{ ...transfer, success }], usdc))).toEqual([])
})

test('behavior: a message names the activities of one’s own prime account, and no other’s', () => {
  const execution = executionOf([transfer], usdc)
  Object.assign(execution.account, { primeId: 'svc_mine' })
  const say = (primeId: string) =>
    describeReservations(reservedOn(execution), activityNames([execution], { primeId }))
  expect(say('svc_mine')).toBe('act_1 still needs 70 of USDC on base')
  expect(say('svc_other')).toBe(
    'an activity of another prime account still needs 70 of USDC on base',
  )
})

test('behavior: when one part of a plan fails, the operations that wait for its bridges reserve nothing', () => {
  const deposit: Step = {
    nonce: bridge,
    network: 'arbitrum',
    context: { action_type: 'BRIDGE', asset_symbol: 'USDC', destination_chain_id: '8453' },
  }
  const waiting = { ...transfer, contingent: true } as const
  const nonces = (success: boolean | null) =>
    openOperations(executionOf([{ ...deposit, success }, waiting]), 'base').map((op) => op.nonce)
  expect(nonces(null)).toEqual([earn])
  expect(nonces(true)).toEqual([earn])
  expect(nonces(false)).toEqual([])
})

test('behavior: a withdrawal reserves its part of the position and two units for the market’s rounding', () => {
  const withdrawal: Step = {
    nonce: earn,
    network: 'base',
    context: {
      action_type: 'COMET_WITHDRAW',
      amount: '40',
      asset_symbol: 'USDC',
      comet: comet.address,
    },
  }
  const reserved = reservedOn(executionOf([withdrawal]))
  expect(reserved).toMatchObject([{ kind: 'supplied', market: comet.address, amount: 40n }])
  const leftOf = (supplied: bigint, reservations: typeof reserved) => {
    const state = {
      market: comet,
      supplied,
      borrowed: 0n,
      collateral: comet.collaterals.map(() => 0n),
    }
    const networkState = {
      balances: new Map(),
      comets: [state],
      aaveReserves: [],
      vaults: [],
      morphoMarkets: [],
    }
    const seen = withoutReserved(networkState as unknown as NetworkState, reservations, base)
    return seen.comets[0]!.supplied
  }
  expect(leftOf(100n, [])).toBe(100n)
  expect(leftOf(100n, reserved)).toBe(58n)
  expect(leftOf(41n, reserved)).toBe(0n)
})

test('behavior: a reservation takes the form of ether that the plan spends first', () => {
  const networkState = {
    balances: new Map([
      ['ETH', 5n],
      ['WETH', 3n],
    ]),
    ...{ comets: [], aaveReserves: [], vaults: [], morphoMarkets: [] },
  } as unknown as NetworkState
  const reservation = { activityId: 'act_1', network: 'base', kind: 'token' } as const
  const reservations = [{ ...reservation, symbol: 'WETH', amount: 4n }]
  const seen = withoutReserved(networkState, reservations, base)
  expect(Object.fromEntries(seen.balances)).toEqual({ ETH: 4n, WETH: 0n })
})
