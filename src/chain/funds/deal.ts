import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { ServiceError } from '../../lib/errors.js'
import type { NetworkBook } from '../deployments/addressBook.js'
import type { Token } from '../deployments/token.js'
import type { Node } from '../node/node.js'
import { RpcError } from '../node/rpc.js'
import { sendFor } from '../node/sendFor.js'
import { uniswapPools } from './uniswapPools.js'

/**
 * Gives tokens on a fork, where nobody may mint: sets the balance in the token's storage, or, where the node finds no slot to set,
 * lets the largest holder that the address book knows pay. Rejects with `invalid_params` when neither can.
 */
export async function deal(
  node: Node,
  book: NetworkBook,
  token: Token,
  to: Address,
  amount: bigint,
): Promise<void> {
  const wanted = (await balanceOf(node, token, to)) + amount
  try {
    await node.rpc.request('anvil_dealERC20', [to, token.address, toHex(wanted)])
    if ((await balanceOf(node, token, to)) === wanted) return
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
  await payFromHolder(node, book, token, to, amount)
}

async function payFromHolder(
  node: Node,
  book: NetworkBook,
  token: Token,
  to: Address,
  amount: bigint,
): Promise<void> {
  const holders = await Promise.all(
    holdersOf(book, token).map(async (address) => ({
      address,
      balance: await balanceOf(node, token, address),
    })),
  )
  const largest = holders.reduce((a, b) => (b.balance > a.balance ? b : a))
  const failed = `${token.symbol} cannot be given on the forked ${book.network}: the node finds no balance to set in ${token.address}`
  if (largest.balance < amount)
    throw new ServiceError('invalid_params', `${failed}, and no known holder has ${amount}`, {
      hint: `the largest, ${largest.address}, holds ${largest.balance}; ask for at most that, or fund ${to} over /rpc/${book.network} by impersonating a holder you know`,
    })
  try {
    await sendFor(node, largest.address, { to: token.address, data: transferData(to, amount) })
  } catch (cause) {
    throw new ServiceError(
      'invalid_params',
      `${failed}, and its holder ${largest.address} could not pay: ${(cause as Error).message}`,
      { cause },
    )
  }
}

/** Contracts of the address book that may hold a lot of the token. */
function holdersOf(book: NetworkBook, { address }: Token): Address[] {
  return [
    ...book.aave.reserves.filter(({ asset }) => asset === address).map(({ aToken }) => aToken),
    ...book.comets.map((comet) => comet.address),
    book.cometRewards,
    book.morpho.morpho,
    book.spokePool,
    ...uniswapPools(book)
      .filter(({ token0, token1 }) => [token0.address, token1.address].includes(address))
      .map((pool) => pool.address),
  ]
}

function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
}

async function balanceOf(node: Node, token: Token, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const answer = await node.rpc.request<Hex>('eth_call', [{ to: token.address, data }, 'latest'])
  // What is no token holds none.
  return answer === '0x' ? 0n : BigInt(answer)
}
