import type { Address } from 'viem'
import { encodeFunctionData, toEventSelector } from 'viem/utils'
import type { VaultState } from '../../../../chain/state/marketReads.js'
import { vaultActionsAbi } from '../../../../generated/abis.js'
import { ServiceError } from '../../../../lib/errors.js'
import { leftOutNote, networkStateOf } from '../../assembly/resolve.js'
import type { PlanInput } from '../../model/kind.js'
import { type MarketRequest, marketOf, requireCash, type YieldProtocol } from './market.js'

type VaultCall =
  | { functionName: 'deposit'; args: [vault: Address, amount: bigint, isCapped: boolean] }
  | { functionName: 'depositReceived'; args: [vault: Address, besides: bigint] }
  | { functionName: 'withdraw'; args: [vault: Address, amount: bigint] }

/** Vaults on Morpho Blue (ERC-4626). `market` is the vault's address; see `chosenVault` for requests without it. */
export const vault: YieldProtocol = {
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
    const found = { network, token, address, name, supplied: state.supplied }
    const encode = (call: VaultCall) => ({
      script: input.scripts.vaultActions,
      calldata: encodeFunctionData({ abi: vaultActionsAbi, ...call }),
    })
    return marketOf(input, found, {
      where: { morpho_vault: address },
      leaving: state.leaving,
      checkSupply: (total) => requireRoom(state, total),
      checkWithdrawal: (amount) => requireCash(found, state.withdrawable, amount),
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
 * Of an asset's vaults, the one for a request that names none: deposits go to the first in the order of `GET /markets`,
 * withdrawals come from the only one with a position.
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

function requireRoom({ vault, room }: VaultState, amount: bigint): void {
  if (amount <= room) return
  throw new ServiceError(
    'plan_failed',
    `supply cap exceeded: ${vault.name} takes at most ${room} more of ${vault.assetSymbol}, ${amount} was asked`,
  )
}
