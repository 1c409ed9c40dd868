import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { VaultState } from '../../../../chain/state/vaultState.js'
import { vaultActionsAbi } from '../../../../generated/abis.js'
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
  MORPHO_VAULT_SUPPLY: {
    topic: toEventSelector('Deposit(address,address,uint256,uint256)'),
    amountAt: 0,
    type: 'morpho_vault_supply',
  },
  MORPHO_VAULT_WITHDRAW: {
    topic: toEventSelector('Withdraw(address,address,address,uint256,uint256)'),
    amountAt: 0,
    type: 'morpho_vault_withdraw',
  },
} as const satisfies Partial<Record<ActionType, MarketEvent>>

/** Vaults on Morpho Blue (ERC-4626). `market` is the vault's address; there is no default. */
export const vault: YieldProtocol = {
  reads: 'vaults',

  find(input, request) {
    const { network, token } = request
    const state = vaultOf(input, request)
    const { address, name } = state.vault
    const found = { network, token, address, name, supplied: state.supplied }
    return {
      ...found,
      supply(supply) {
        requireRoom(state, totalOf(supply))
        const call =
          'received' in supply
            ? ({ functionName: 'depositReceived', args: [address, supply.besides] } as const)
            : ({
                functionName: 'deposit',
                args: [address, supply.amount, supply.isCapped],
              } as const)
        return {
          network,
          script: input.scripts.vaultActions,
          calldata: encodeFunctionData({ abi: vaultActionsAbi, ...call }),
          context: {
            action_type: 'MORPHO_VAULT_SUPPLY',
            ...fieldsOf(input, found, { morpho_vault: address }, totalOf(supply)),
          },
        }
      },
      withdraw(asked) {
        requireSupply(found, asked)
        const amount = takenOut(input, state, asked)
        requireCash(found, state.withdrawable, amount)
        return {
          network,
          script: input.scripts.vaultActions,
          calldata: encodeFunctionData({
            abi: vaultActionsAbi,
            functionName: 'withdraw',
            args: [address, amount],
          }),
          context: {
            action_type: 'MORPHO_VAULT_WITHDRAW',
            ...fieldsOf(input, found, { morpho_vault: address }, amount),
          },
        }
      },
    }
  },

  observe(context, logs, book) {
    const isSupply = context.action_type === 'MORPHO_VAULT_SUPPLY'
    if (!isSupply && context.action_type !== 'MORPHO_VAULT_WITHDRAW') return []
    const { action_type, morpho_vault } = context
    return observeMarket(context, logs, book, { morpho_vault }, events[action_type])
  },
}

function vaultOf(input: PlanInput, { network, token, market }: MarketRequest): VaultState {
  const state = networkStateOf(input, network).vaults.find(
    (each) => each.vault.asset === token.address && each.vault.address === market?.toLowerCase(),
  )
  if (state) return state
  throw new ServiceError(
    'plan_failed',
    `morpho vault not found: no vault for ${token.symbol} at ${market} on ${network}${leftOutNote(networkStateOf(input, network), 'vaults', { symbol: token.symbol, id: market })}; GET /markets lists them`,
  )
}

function requireRoom({ vault, room }: VaultState, amount: bigint): void {
  if (amount <= room) return
  throw new ServiceError(
    'plan_failed',
    `supply cap exceeded: ${vault.name} takes at most ${room} more of ${vault.assetSymbol}, ${amount} was asked`,
  )
}
