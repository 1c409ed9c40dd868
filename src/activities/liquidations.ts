import type { Address } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { NetworkBook } from '../chain/deployments/addressBook.js'
import type { ReadNode } from '../chain/node/follow.js'
import type { Log } from '../chain/node/node.js'
import { feedPrice } from '../chain/state/feedPrice.js'
import { wordAt } from '../chain/state/multicall.js'
import type { SemanticEvent } from '../plans/model/kind.js'
import { dollarValue, indexOf } from '../plans/observe/logs.js'
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
    const action_type = isMorpho ? 'MORPHO_LIQUIDATION' : 'COMET_LIQUIDATION'
    const context = { action_type, chain_id: networkBook.chainId.toString() }
    found.push({ ...mined, wallet, actions: [{ from: own[0]!.address, context, events }] })
  }
  return found
}

function borrowerOf({ topics }: Log): Address {
  return `0x${topics[topics[0] === liquidate ? 3 : 2]!.slice(-40)}`
}

/** A liquidation event in the words of service-facts 12.2. Dollar values have 8 decimals. */
async function eventOf(node: ReadNode, networkBook: NetworkBook, log: Log): Promise<SemanticEvent> {
  const word = (index: number): bigint => wordAt(log.data.slice(2), index)
  const event = (event_type: string, fields: Record<string, unknown>): SemanticEvent => ({
    event_type,
    log_indices: [indexOf(log)],
    event_metadata: fields,
  })
  if (log.topics[0] === liquidate) {
    const market = networkBook.morpho.markets.find(({ id }) => id === log.topics[1])!
    const [repaid, seized] = [word(0), word(2)]
    const [loanPrice, collateralPrice] = await Promise.all(
      [market.loanToken, market.collateralToken].map((token) =>
        feedPrice(node, networkBook, token),
      ),
    )
    return event('morpho_liquidation', {
      morpho: networkBook.morpho.morpho,
      morpho_market_id: market.id,
      repaid_token: market.loanToken,
      repaid_amount: repaid.toString(),
      repaid_usd_value: dollarValue(networkBook, market.loanToken, repaid, loanPrice!.toString()),
      seized_token: market.collateralToken,
      seized_amount: seized.toString(),
      seized_usd_value: dollarValue(
        networkBook,
        market.collateralToken,
        seized,
        collateralPrice!.toString(),
      ),
    })
  }
  const comet = log.address.toLowerCase()
  const isDebt = log.topics[0] === absorbDebt
  const base = networkBook.comets.find(({ address }) => address === comet)!.baseToken
  const fields = { comet, amount: word(0).toString(), dollar_value: word(1).toString() }
  return isDebt
    ? event('comet_liquidation_base_paid_out', { ...fields, token: base })
    : event('comet_liquidation_collateral_absorbed', {
        ...fields,
        token: `0x${log.topics[3]!.slice(-40)}`,
      })
}
