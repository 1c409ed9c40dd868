import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { actors } from '../chain/deployments/actors.js'
import type { AddressBook } from '../chain/deployments/addressBook.js'
import { type NetworkName, networkOf } from '../chain/deployments/networks.js'
import type { Faucet } from '../chain/funds/faucet.js'
import type { Node, Nodes, Receipt } from '../chain/node/node.js'
import { sendAs } from '../chain/node/send.js'
import { iSpokePoolAbi, tokenAbi } from '../generated/abis.js'
import { addressOf, type Deposit } from './deposit.js'

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
  { relayData, to }: Deposit,
  amount: bigint,
): Promise<Receipt> {
  const { tokens, spokePool } = book.on(to)
  const address = addressOf(relayData.outputToken)
  const token = tokens.find((candidate) => candidate.address === address)
  if (!token) throw new Error(`${address} is no asset of ${to}`)
  const from = actors.relayer
  await faucet.fund({ address: from, asset: token.symbol, amount, network: to })
  const node = nodes.get(to)
  await allow(node, token.address, spokePool, amount)
  return sendAs(node, {
    from,
    to: spokePool,
    data: encodeFunctionData({
      abi: iSpokePoolAbi,
      functionName: 'fillRelay',
      args: [
        { ...relayData, outputAmount: amount },
        BigInt(networkOf(to).chainId),
        relayData.depositor,
      ],
    }),
  })
}

/** Lets the spoke pool take the relayer's tokens: once for all fills, since every transaction makes the fills behind it wait. */
async function allow(node: Node, token: Address, spokePool: Address, amount: bigint) {
  const from = actors.relayer
  const allowance = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'allowance',
    args: [from, spokePool],
  })
  const allowed = await node.rpc.request<Hex>('eth_call', [
    { to: token, data: allowance },
    'latest',
  ])
  if (BigInt(allowed) >= amount) return
  await sendAs(node, {
    from,
    to: token,
    data: encodeFunctionData({
      abi: tokenAbi,
      functionName: 'approve',
      args: [spokePool, 2n ** 256n - 1n],
    }),
  })
}
