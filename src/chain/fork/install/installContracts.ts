import { readFile } from 'node:fs/promises'
import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import { type NetworkBook, ownAddress } from '../../../deployments/addressBook.js'
import type { Token } from '../../../deployments/networks.js'
import { priceHubAbi } from '../../../generated/abis.js'
import { svcAddresses } from '../../../generated/svc.js'
import { hubKey, priceSymbol } from '../../genesis/prices.js'
import type { Node } from '../../rpc/node.js'
import { RpcError } from '../../rpc/rpc.js'
import { sendAs } from '../../transactions/send.js'
import { giveAccounts, type Preparation } from './preparation.js'

/**
 * Copies the simulator's own contracts, with code and storage, from the built offline world to a fork: factory, wallet, nonce manager,
 * script store and scripts, exchange, lenses, and feeds for tokens without one. The addresses are the same. Changes no other account.
 */
export async function installContracts(
  node: Node,
  book: NetworkBook,
  worldFile: string,
): Promise<void> {
  const { accounts } = JSON.parse(await readFile(worldFile, 'utf8')) as {
    accounts: Preparation['accounts']
  }
  const own = ownContracts(book)
  const multicall = await node.rpc.request<Hex>('eth_getCode', [book.multicall3, 'latest'])
  if (multicall === '0x') own.push(book.multicall3)
  const installed = own.map((address) => {
    const account = accounts[address]
    if (!account) throw new Error(`the offline world has no ${address}: run "npm run build"`)
    return [address, { ...account, balance: '0x0' }] as const
  })
  await giveAccounts(node, Object.fromEntries(installed))
  for (const token of tokensWithoutFeed(book)) await priceAsAaveDoes(node, book, token)
}

/** The simulator's own contracts on a fork. Lower case. */
export function ownContracts(book: NetworkBook): Address[] {
  const { scripts, ...contracts } = svcAddresses
  return [
    ...Object.values(contracts),
    ...Object.values(scripts),
    book.cometLens,
    book.morphoLens,
    book.aaveLens,
    book.vaultLens,
    book.rewardsLens,
    book.nonceLens,
    ...(book.morphoRewards ? [book.morphoRewards.grants] : []),
    ...tokensWithoutFeed(book).map(({ feed }) => feed),
  ].map((address) => address.toLowerCase() as Address)
}

/** Tokens without a USD feed on the network. They get the simulator's own feed, which reads its price hub. */
export function tokensWithoutFeed(book: NetworkBook): Token[] {
  return book.tokens.filter(({ symbol, feed }) => feed === ownAddress(`feed/${symbol}/USD`))
}

const aaveOracleAbi = parseAbi(['function getAssetPrice(address asset) view returns (uint256)'])

/** Sets the price of a token without a feed to that of Aave's oracle. If the oracle has none, the price of the offline world stays. */
async function priceAsAaveDoes(node: Node, book: NetworkBook, token: Token): Promise<void> {
  const data = encodeFunctionData({
    abi: aaveOracleAbi,
    functionName: 'getAssetPrice',
    args: [token.address],
  })
  const call = { to: book.aave.oracle, data }
  const answer = await node.rpc.request<Hex>('eth_call', [call, 'latest']).catch((error) => {
    if (error instanceof RpcError) return '0x'
    throw error
  })
  if (answer.length !== 66 || BigInt(answer) === 0n) return
  await sendAs(node, {
    from: actors.admin,
    to: book.priceHub,
    data: encodeFunctionData({
      abi: priceHubAbi,
      functionName: 'setPrice',
      args: [hubKey(priceSymbol(token.symbol)!), BigInt(answer)],
    }),
  })
}
