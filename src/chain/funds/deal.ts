import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/networks.js'
import { tokenAbi } from '../../generated/abis.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { StoppedError } from '../transactions/pool.js'
import { sendAs } from '../transactions/send.js'
import { sendFor } from '../transactions/sendFor.js'
import { sendOrTakeBack } from '../transactions/takeBack.js'
import { uniswapPools } from './uniswapPools.js'

/**
 * Gives tokens on a fork, where the simulator cannot mint: adds to the balance in the token's storage, or, if no slot is a balance, sends
 * from the largest holder in the address book. Rejects with `invalid_params` when both fail.
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

interface Gift {
  to: Address
  amount: bigint
}

interface Giving {
  signal?: AbortSignal
  /** Called when an abort can no longer surely prevent the gift. */
  onSent?: () => void
}

/** Adds to the balance's word, keeping other data in it (USDC has its blacklist there). False when no slot is a balance. */
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
  // Twice, because "latest" may be the state before a block that is just being mined.
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

/** Contracts that may hold a lot of the token. */
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

export interface BalanceSlot {
  /** The contract with the slot, usually the token. */
  at: Address
  key: Hex
}

interface AccessList {
  accessList: { address: Address; storageKeys: Hex[] }[]
}

/** An unlikely balance, small enough for tokens that pack other fields into the same word. */
const marker = toHex(0x5bc5_1ab0_cafe_f00dn, { size: 32 })

const knownSlots = new WeakMap<Node, Map<string, Promise<BalanceSlot>>>()

/**
 * Finds the slot of an account's balance for state overrides: among the slots that `balanceOf` reads, the one that determines the answer.
 * Searches once per node, token and account. Rejects with `plan_failed` when there is none, for example for a token that counts shares.
 */
export function balanceSlot(node: Node, token: Address, account: Address): Promise<BalanceSlot> {
  const known = knownSlots.get(node) ?? new Map<string, Promise<BalanceSlot>>()
  knownSlots.set(node, known)
  const key = `${token}/${account}`
  const finding = known.get(key) ?? find(node, token, account)
  known.set(key, finding)
  finding.catch(() => known.delete(key))
  return finding
}

async function find(node: Node, token: Address, account: Address): Promise<BalanceSlot> {
  const slot = await findBalanceSlot(node, token, account)
  if (slot) return slot
  throw new ServiceError(
    'plan_failed',
    `nothing that arrives of ${token} on ${node.network} can be simulated: no slot of its storage is a balance`,
  )
}

/** Searches without the cache; undefined when there is none. */
async function findBalanceSlot(
  { rpc }: Node,
  token: Address,
  account: Address,
): Promise<BalanceSlot | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const call = { to: token, data }
  const { accessList } = await rpc.request<AccessList>('eth_createAccessList', [call, 'latest'])
  const slots = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((key): BalanceSlot => ({ at: address, key })),
  )
  const answers = await Promise.all(
    slots.map(({ at, key }) =>
      rpc
        .request<Hex>('eth_call', [call, 'latest', { [at]: { stateDiff: { [key]: marker } } }])
        // The marker broke another slot, for example the address of a proxy's code.
        .catch((error) => {
          if (error instanceof RpcError) return undefined
          throw error
        }),
    ),
  )
  return slots[answers.indexOf(marker)]
}

/** An account without tokens. */
const nobody: Address = '0x00000000000000000000000000000000005caa0e'

/** Large enough that a fee of one part in a million is not rounded away, small enough for any token. */
const sent = 10n ** 15n

/** Whether the token takes a fee on transfers, by a simulated transfer. False when no slot is a balance. */
export async function takesFee(node: Node, token: Address): Promise<boolean> {
  const { relayer } = actors
  const slot = await balanceSlot(node, token, relayer).catch((error) => {
    if (error instanceof ServiceError) return undefined
    throw error
  })
  if (!slot) return false
  const transfer = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transfer',
    args: [nobody, sent],
  })
  const balance = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [nobody] })
  const block = {
    stateOverrides: { [slot.at]: { stateDiff: { [slot.key]: toHex(sent, { size: 32 }) } } },
    calls: [
      { from: relayer, to: token, data: balance },
      { from: relayer, to: token, data: transfer },
      { from: relayer, to: token, data: balance },
    ],
  }
  const [simulated] = await node.rpc.request<{ calls: { status: Hex; returnData: Hex }[] }[]>(
    'eth_simulateV1',
    [{ blockStateCalls: [block], validation: false }, 'latest'],
  )
  const [before, moved, after] = simulated!.calls
  // A reverted transfer shows no fee. The plan's own simulation reports the revert.
  if (moved!.status !== '0x1') return false
  return BigInt(after!.returnData) - BigInt(before!.returnData) < sent
}
