import type { Address } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log } from '../../chain/rpc/node.js'
import { feedPrice } from '../../chain/state/feedPrice.js'
import type { ReadNode } from '../../chain/transactions/follow.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import { addressOf } from '../bridge/deposit.js'
import type { OutsideItem } from '../plans/model/activityItem.js'
import type { SemanticEvent } from '../plans/model/semanticEvents.js'
import { dollarValue, indexOf, wordOf } from '../plans/observe/logs.js'
import type { Store } from '../store/store.js'
import type { Outside } from './outside.js'

/** Comet's events of an absorbed account, and Morpho Blue's of a liquidated one; the borrower is the third topic or the fourth. */
const absorbCollateral = toEventSelector(
  'AbsorbCollateral(address,address,address,uint256,uint256)',
)
const absorbDebt = toEventSelector('AbsorbDebt(address,address,uint256,uint256)')
const liquidate = toEventSelector(
  'Liquidate(bytes32,address,address,uint256,uint256,uint256,uint256,uint256)',
)

/**
 * The liquidations of wallets of accounts in one mined transaction, one entry per wallet, whoever has liquidated.
 * `executedAtMs` is the time of its block.
 */
export async function liquidationsIn(
  store: Pick<Store, 'accountsOfWallet'>,
  node: ReadNode,
  mined: Pick<Outside, 'networkBook' | 'receipt' | 'executedAtMs'>,
): Promise<Outside[]> {
  const { networkBook, receipt } = mined
  const markets = [...networkBook.comets.map(({ address }) => address), networkBook.morpho.morpho]
  const logs = receipt.logs.filter(
    ({ address, topics }) =>
      markets.includes(address.toLowerCase() as Address) &&
      [absorbCollateral, absorbDebt, liquidate].includes(topics[0]!),
  )
  const found: Outside[] = []
  for (const wallet of new Set(logs.map(borrowerOf))) {
    if ((await store.accountsOfWallet(wallet)).length === 0) continue
    const own = logs.filter((log) => borrowerOf(log) === wallet)
    const events = await Promise.all(own.map((log) => eventOf(node, networkBook, log)))
    const isMorpho = events[0]!.event_type === 'morpho_liquidation'
    const context: OutsideItem['action_context'] = {
      action_type: isMorpho ? 'MORPHO_LIQUIDATION' : 'COMET_LIQUIDATION',
      chain_id: networkBook.chainId.toString(),
    }
    found.push({ ...mined, wallet, actions: [{ from: own[0]!.address, context, events }] })
  }
  return found
}

function borrowerOf({ topics }: Log): Address {
  return addressOf(topics[topics[0] === liquidate ? 3 : 2]!)
}

/** A liquidation event in the words of service-facts 12.2. Dollar values have 8 decimals. */
async function eventOf(node: ReadNode, networkBook: NetworkBook, log: Log): Promise<SemanticEvent> {
  const word = (index: number): bigint => wordOf(log, index)
  const log_indices = [indexOf(log)]
  if (log.topics[0] === liquidate) {
    const market = networkBook.morpho.markets.find(({ id }) => id === log.topics[1])!
    const dollarsOf = async (token: Address, amount: bigint) => {
      const price = (await feedPrice(node, networkBook, token)).toString()
      return dollarValue(networkBook, token, amount, price)
    }
    const [repaid, seized] = [word(0), word(2)]
    const [repaid_usd_value, seized_usd_value] = await Promise.all([
      dollarsOf(market.loanToken, repaid),
      dollarsOf(market.collateralToken, seized),
    ])
    return {
      event_type: 'morpho_liquidation',
      log_indices,
      event_metadata: {
        morpho: networkBook.morpho.morpho,
        morpho_market_id: market.id,
        repaid_token: market.loanToken,
        repaid_amount: repaid.toString(),
        repaid_usd_value,
        seized_token: market.collateralToken,
        seized_amount: seized.toString(),
        seized_usd_value,
      },
    }
  }
  const market = networkBook.comets.find(({ address }) => address === log.address.toLowerCase())!
  const isDebt = log.topics[0] === absorbDebt
  return {
    event_type: isDebt
      ? 'comet_liquidation_base_paid_out'
      : 'comet_liquidation_collateral_absorbed',
    log_indices,
    event_metadata: {
      comet: market.address,
      amount: word(0).toString(),
      dollar_value: word(1).toString(),
      token: isDebt ? market.baseToken : addressOf(log.topics[3]!),
    },
  }
}
