import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node } from '../rpc/node.js'
import { StoppedError } from '../transactions/pool.js'
import { sendAs } from '../transactions/send.js'
import { sendFor } from '../transactions/sendFor.js'
import { sendOrTakeBack } from '../transactions/takeBack.js'
import { findBalanceSlot } from './balanceSlot.js'
import { uniswapPools } from './uniswapPools.js'

/**
 * Gives tokens on a fork, where nobody may mint: adds to the balance in the token's storage, or, where no slot is a balance,
 * lets the largest holder that the address book knows pay. Rejects with `invalid_params` when neither can.
 */
export async function deal(
  node: Node,
  book: NetworkBook,
  token: Token,
  to: Address,
  amount: bigint,
  giving: Giving = {},
): Promise<void> {
  if (!(await addToSlot(node, token, { to, amount }, giving)))
    await payFromHolder(node, book, token, { to, amount }, giving)
}

/** What somebody gets. */
interface Gift {
  to: Address
  amount: bigint
}

/** Aborted, nothing is given any more; `onSent` is called when that cannot be prevented for certain. */
interface Giving {
  signal?: AbortSignal
  onSent?: () => void
}

/** Adds to the word that holds the balance, and leaves what else stands in it: USDC keeps its blacklist there. False without one. */
async function addToSlot(
  node: Node,
  token: Token,
  { to, amount }: Gift,
  { signal, onSent }: Giving,
): Promise<boolean> {
  const { rpc } = node
  const [slot, before] = await Promise.all([
    findBalanceSlot(node, token.address, to),
    balanceOf(node, token, to),
  ])
  if (!slot) return false
  const { at, key } = slot
  const held = await rpc.request<Hex>('eth_getStorageAt', [at, key, 'latest'])
  const set = (word: bigint) =>
    rpc.request('anvil_setStorageAt', [at, key, toHex(word, { size: 32 })])
  const sum = BigInt(held) + amount
  if (sum >= 2n ** 256n) return false
  if (signal?.aborted) throw new StoppedError()
  onSent?.()
  await set(sum)
  const isThere = async () => (await balanceOf(node, token, to)) === before + amount
  // Twice: while a block is mined, "latest" can be the state of before.
  if ((await isThere()) || (await isThere())) return true
  await set(BigInt(held))
  return false
}

async function payFromHolder(
  node: Node,
  book: NetworkBook,
  token: Token,
  { to, amount }: Gift,
  { signal, onSent }: Giving,
): Promise<void> {
  const holders = await Promise.all(
    holdersOf(book, token).map(async (address) => ({
      address,
      balance: await balanceOf(node, token, address),
    })),
  )
  const largest = holders.reduce((a, b) => (b.balance > a.balance ? b : a))
  const failed = `${token.symbol} cannot be given on the forked ${book.network}: no balance to set was found in ${token.address}`
  if (largest.balance < amount)
    throw new ServiceError('invalid_params', `${failed}, and no known holder has ${amount}`, {
      hint: `the largest, ${largest.address}, holds ${largest.balance}; ask for at most that, or fund ${to} over /rpc/${book.network} by impersonating a holder you know`,
    })
  try {
    const call = { to: token.address, data: transferData(to, amount) }
    const send: typeof sendAs = (by, request) =>
      onSent ? sendOrTakeBack(by, request, signal, onSent) : sendAs(by, request, signal)
    await sendFor(node, largest.address, call, signal, send)
  } catch (cause) {
    if (cause instanceof StoppedError) throw cause
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
  // An address that is not a token has no balances.
  return answer === '0x' ? 0n : BigInt(answer)
}
