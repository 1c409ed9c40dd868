import { encodeFunctionData } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { Faucet } from '../../funds/faucet.js'
import type { Node } from '../../rpc/node.js'
import { sendAs } from '../../transactions/send.js'
import { worth } from '../amounts.js'
import { artifact } from '../artifacts.js'

/** Dollars of each token that the exchange holds when the world starts. */
const inventoryUsd = 50_000_000n

/** Tells the exchange the feed of every token, native included, and fills its inventory. */
export async function buildExchange(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const { abi } = artifact('Exchange')
  for (const token of book.tokens) {
    const args = [token.address, token.feed]
    const data = encodeFunctionData({ abi, functionName: 'setFeed', args })
    await sendAs(node, { from: actors.admin, to: book.exchange, data })
    await faucet.fund({
      address: book.exchange,
      asset: token.symbol,
      amount: worth(inventoryUsd, token),
      network: book.network,
    })
  }
}
