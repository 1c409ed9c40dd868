import { encodeFunctionData, pad } from 'viem/utils'
import { actors } from '../chain/deployments/actors.js'
import type { AddressBook } from '../chain/deployments/addressBook.js'
import { type NetworkName, networkOf } from '../chain/deployments/networks.js'
import { allow } from '../chain/funds/allow.js'
import type { Faucet } from '../chain/funds/faucet.js'
import type { Nodes, Receipt } from '../chain/node/node.js'
import { sendAs } from '../chain/node/send.js'
import { iSpokePoolAbi } from '../generated/abis.js'
import { addressOf, type Deposit, relayHash } from './deposit.js'

/** What a fill takes. */
export interface FillParts {
  nodes: Nodes
  book: AddressBook
  faucet: Faucet
  /** Networks whose spoke pool is the protocol's own. */
  forked?: { has(network: NetworkName): boolean }
}

/**
 * Gets the output from the faucet and passes it on through the destination's spoke pool. `amount` is what arrives: the
 * deposit's output amount, unless the relayer is to cheat.
 */
export async function fill(
  { nodes, book, faucet }: FillParts,
  deposit: Deposit,
  amount: bigint,
): Promise<Receipt> {
  const { to } = deposit
  const relayData = { ...deposit.relayData, outputAmount: amount }
  const { tokens, spokePool } = book.on(to)
  const address = addressOf(relayData.outputToken)
  const token = tokens.find((candidate) => candidate.address === address)
  if (!token) throw new Error(`${address} is no asset of ${to}`)
  const from = actors.relayer
  const node = nodes.get(to)
  node.fork?.expectFill(relayHash({ ...deposit, relayData }))
  await faucet.fund({ address: from, asset: token.symbol, amount, network: to })
  await allow(node, {
    ...{ token: token.address, owner: from, spender: spokePool, amount },
    // Once for all fills: every transaction makes the fills behind it wait.
    grant: 2n ** 256n - 1n,
  })
  return sendAs(node, {
    from,
    to: spokePool,
    data: encodeFunctionData({
      abi: iSpokePoolAbi,
      functionName: 'fillRelay',
      args: [
        relayData,
        BigInt(networkOf(to).chainId),
        // Who is to be repaid; the pool names this account as the relayer.
        pad(from),
      ],
    }),
  })
}
