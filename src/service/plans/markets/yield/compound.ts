import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { cometSupplyAbi, cometWithdrawAbi } from '../../../../generated/abis.js'
import { cometOf, networkStateOf } from '../../assembly/resolve.js'
import type { ActionType } from '../../model/contexts.js'
import {
  fieldsOf,
  type MarketEvent,
  observeMarket,
  requireSupply,
  takenOut,
  totalOf,
  type YieldProtocol,
} from './market.js'

const events = {
  COMET_SUPPLY: {
    topic: toEventSelector('Supply(address,address,uint256)'),
    amountAt: 0,
    type: 'comet_supply_base',
  },
  COMET_WITHDRAW: {
    topic: toEventSelector('Withdraw(address,address,uint256)'),
    amountAt: 0,
    type: 'comet_withdraw_base',
  },
} as const satisfies Partial<Record<ActionType, MarketEvent>>

/** Compound: the base asset of a Comet market. `market` is the Comet's address and may be left out. */
export const compound: YieldProtocol = {
  reads: 'comet',

  find(input, { network, token, market: wanted }) {
    const state = cometOf(networkStateOf(input, network), token, wanted)
    const { address, name } = state.market
    const found = { network, token, address, name, supplied: state.supplied }
    return {
      ...found,
      supply(supply) {
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
          script: input.scripts.cometSupply,
          calldata: encodeFunctionData({ abi: cometSupplyAbi, ...call }),
          context: {
            action_type: 'COMET_SUPPLY',
            ...fieldsOf(input, found, { comet: address }, totalOf(supply)),
          },
        }
      },
      withdraw(asked) {
        // More than the supply would not fail in a Comet market: it would borrow the rest.
        requireSupply(found, asked)
        const amount = takenOut(input, state, asked)
        return {
          network,
          script: input.scripts.cometWithdraw,
          calldata: encodeFunctionData({
            abi: cometWithdrawAbi,
            functionName: 'withdraw',
            args: [address, token.address, amount],
          }),
          context: {
            action_type: 'COMET_WITHDRAW',
            ...fieldsOf(input, found, { comet: address }, amount),
          },
        }
      },
    }
  },

  observe(context, logs, book) {
    if (context.action_type !== 'COMET_SUPPLY' && context.action_type !== 'COMET_WITHDRAW')
      return []
    const { action_type, comet } = context
    return observeMarket(context, logs, book, { comet }, events[action_type])
  },
}
