import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { cometSupplyAbi, cometWithdrawAbi } from '../../../../generated/abis.js'
import { cometOf, networkStateOf } from '../../assembly/resolve.js'
import { marketOf, supplyCall, type YieldProtocol } from './market.js'

/** Compound: the base asset of a Comet market. `market` is the Comet's address and may be left out. */
export const compound: YieldProtocol = {
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
    const found = { network, token, address, name, supplied: state.supplied }
    return marketOf(input, found, {
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
