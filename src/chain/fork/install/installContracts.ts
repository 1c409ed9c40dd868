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
 * Puts the simulator's own contracts on a fork: factory, wallet, nonce manager, script store and scripts, exchange, lenses, and the
 * feeds of tokens that have none of their own there. They come out of the built offline world with the code and storage that
 * they have there, so they stand at the same addresses and need no deployment. Nothing of the fork's own is touched.
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

/** Everything that a fork gets of the simulator's own. Lower case. */
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

/** The tokens for which the network has no feed against USD. The simulator's own feed reads its price hub. */
export function tokensWithoutFeed(book: NetworkBook): Token[] {
  return book.tokens.filter(({ symbol, feed }) => feed === ownAddress(`feed/${symbol}/USD`))
}

const aaveOracleAbi = parseAbi(['function getAssetPrice(address asset) view returns (uint256)'])

/** Gives a token without a feed the price that Aave's oracle has for it at the fork's block; without one it keeps the offline world's. */
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
