import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, parseAbi, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames, type Token } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { taskQueues } from '../../time/backgroundTasks.js'
import type { Node, Nodes, SendRequest } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { StoppedError } from '../transactions/pool.js'
import { dryRun } from '../transactions/revert.js'
import { ChainRevert, sendAs } from '../transactions/send.js'
import { sendOrTakeBack } from '../transactions/takeBack.js'

/** Amounts are in the asset's smallest unit. */
export interface Faucet {
  /**
   * Adds `amount` to the balance of the address. Rejects with `ServiceError` `invalid_params` when the network lacks the asset, the amount
   * is not positive or too large, or the token refuses the recipient. Waits for blocks without a limit; `promptFaucet` has one.
   */
  fund(request: FaucetRequest): Promise<FaucetGift>
}

export interface FaucetRequest {
  address: Address
  asset: string
  amount: bigint
  network: NetworkName
  /** Stops the gift when aborted; it then rejects with `StoppedError`. */
  signal?: AbortSignal
  /**
   * For callers that need a definite outcome. Called when the gift is being sent; after that, `StoppedError` means that it was not given and
   * never will be.
   */
  onSent?: () => void
}

export interface FaucetGift {
  address: Address
  asset: string
  network: NetworkName
  balance: bigint
}

/**
 * The limit for a balance and for the total supply of a token: protocols keep amounts in 104 to 128 bits, and nothing could be minted
 * beyond a full supply.
 */
export const faucetLimit = 2n ** 128n - 1n

/**
 * The first five accounts of the well-known development mnemonic ("test test … junk"), each with 10,000 native tokens per network of the
 * offline world. The keys are public: for local use only. On a fork, some of them have code.
 */
export const devAccounts: readonly { address: Address; privateKey: Hex }[] = [
  {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  {
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    privateKey: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    privateKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
  {
    address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    privateKey: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  },
]

const tokenAbi = [
  ...erc20Abi,
  ...parseAbi(['function mint(address to, uint256 amount)', 'function deposit() payable']),
] as const

/** Sets native balances, deposits for wrapped native tokens, mints other tokens offline, and sets their balances on `forked` networks. */
export function createFaucet(
  nodes: Nodes,
  book: AddressBook,
  forked: { has(network: NetworkName): boolean } = new Set(),
): Faucet {
  const inTurn = taskQueues<string>()
  return {
    async fund({ address, asset, amount, network, signal, onSent }) {
      const token = findToken(book, network, asset)
      const node = nodes.get(network)
      if (amount <= 0n) throw refuse(`amount must be at least 1, but it is ${amount}`)
      const give = (): Promise<void> => {
        if (token.native)
          return inTurn(`${network}/${address.toLowerCase()}`, () =>
            addNative(node, { address, amount, signal, onSent }),
          )
        if (token.symbol === book.on(network).wrappedNativeSymbol)
          return inTurn(`${network}/${actors.admin}`, () =>
            giveWrapped(node, token, { address, amount, signal, onSent }),
          )
        return inTurn(`${network}/${token.address}`, () =>
          forked.has(network)
            ? giveOnFork(node, book.on(network), token, { address, amount, signal, onSent })
            : mint(node, token, { address, amount, signal, onSent }),
        )
      }
      try {
        await give()
        const now = await balance(node, token, address)
        return { address, asset: token.symbol, network, balance: now }
      } catch (error) {
        const isOfChain = error instanceof RpcError || error instanceof ChainRevert
        throw isOfChain ? overwritten(node, error.message, error) : error
      }
    },
  }
}

/** A client has changed the chain so that the gift fails. */
function overwritten({ network }: Node, why: string, cause?: Error): ServiceError {
  return new ServiceError('conflict', `The ${network} chain does not give it: ${why}`, {
    hint: 'Something may have written to the chain over /rpc (anvil_setCode, anvil_setBalance, anvil_setStorageAt). POST /_sim/reset repairs it.',
    ...(cause && { cause }),
  })
}

function findToken(book: AddressBook, network: NetworkName, asset: string): Token {
  const token = book.token(network, asset)
  if (token) return token
  const here = book.on(network).tokens.map((t) => t.symbol)
  const elsewhere = networkNames.filter((n) => book.token(n, asset))
  const hint = elsewhere.length > 0 ? `${asset} is on ${elsewhere.join(', ')}. ` : ''
  throw refuse(
    `asset ${asset} does not exist on ${network}`,
    `${hint}${network} has ${here.join(', ')}.`,
  )
}

/** Serial for each address, because reading and setting a balance are two requests. */
async function addNative(node: Node, { address, amount, signal, onSent }: Gift): Promise<void> {
  const sum = (await nativeBalance(node, address)) + amount
  if (signal?.aborted) throw new StoppedError()
  if (sum > faucetLimit) throw tooMuch('the balance', sum)
  onSent?.()
  await node.rpc.request('anvil_setBalance', [address, toHex(sum)])
}

interface Gift extends Pick<FaucetRequest, 'address' | 'amount'> {
  signal: AbortSignal | undefined
  onSent: (() => void) | undefined
}

async function sendGift(node: Node, call: SendRequest, { signal, onSent }: Gift): Promise<void> {
  await (onSent ? sendOrTakeBack(node, call, signal, onSent) : sendAs(node, call, signal))
}

async function mint(node: Node, token: Token, gift: Gift): Promise<void> {
  const { address, amount } = gift
  const [refusal] = await Promise.all([
    refusalOf(node, token, address, amount),
    checkSupply(node, token, amount),
  ])
  if (refusal)
    throw refuse(
      `${token.symbol} on ${node.network} cannot be given to ${address}: the token refuses that recipient (${refusal})`,
      'Nothing was given; name another address.',
    )
  await sendGift(node, mintCall(token, address, amount), gift)
}

function mintCall(token: Token, address: Address, amount: bigint): SendRequest {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [address, amount] })
  return { from: actors.admin, to: token.address, data }
}

/** Why the token refuses this recipient, checked before sending; undefined if it accepts the recipient, or refuses all. */
async function refusalOf(
  node: Node,
  token: Token,
  address: Address,
  amount: bigint,
): Promise<string | undefined> {
  const { reason } = (await dryRun(node, mintCall(token, address, amount))) ?? {}
  if (reason === undefined || (await dryRun(node, mintCall(token, actors.admin, amount))))
    return undefined
  return reason
}

/** Loaded on first use, because most simulators fork nothing. */
async function giveOnFork(
  node: Node,
  book: NetworkBook,
  token: Token,
  { address, amount, signal, onSent }: Gift,
): Promise<void> {
  const { deal } = await import('./deal.js')
  await checkSupply(node, token, amount)
  await deal(node, book, token, address, amount, {
    ...(signal && { signal }),
    ...(onSent && { onSent }),
  })
}

/** Wraps the admin actor's own native tokens, so that every wrapped one stays backed. */
async function giveWrapped(node: Node, token: Token, gift: Gift): Promise<void> {
  const { address, amount, signal } = gift
  await checkSupply(node, token, amount)
  await addNative(node, { address: actors.admin, amount, signal, onSent: undefined })
  const from = actors.admin
  const deposit = encodeFunctionData({ abi: tokenAbi, functionName: 'deposit' })
  await sendAs(node, { from, to: token.address, data: deposit, value: amount }, signal)
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transfer',
    args: [address, amount],
  })
  await sendGift(node, { from, to: token.address, data }, gift)
}

async function checkSupply(node: Node, token: Token, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' })
  const sum = (await callForUint(node, token.address, data)) + amount
  if (sum > faucetLimit) throw tooMuch('the total supply', sum)
}

function balance(node: Node, token: Token, address: Address): Promise<bigint> {
  if (token.native) return nativeBalance(node, address)
  const args = [address] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args })
  return callForUint(node, token.address, data)
}

async function nativeBalance(node: Node, address: Address): Promise<bigint> {
  return BigInt(await node.rpc.request<Hex>('eth_getBalance', [address, 'latest']))
}

async function callForUint(node: Node, to: Address, data: Hex): Promise<bigint> {
  const answer = await node.rpc.request<Hex>('eth_call', [{ to, data }, 'latest'])
  if (answer !== '0x') return BigInt(answer)
  if (!node.fork) throw overwritten(node, `there is no token at ${to} any more`)
  throw refuse(`there is no token at ${to} on ${node.network}: this fork does not have it`)
}

function refuse(message: string, hint?: string): ServiceError {
  return new ServiceError('invalid_params', message, hint ? { hint } : {})
}

function tooMuch(what: string, sum: bigint): ServiceError {
  return refuse(
    `amount is too large: ${what} would be ${sum}`,
    `At most ${faucetLimit} (2^128 - 1) may exist; request less.`,
  )
}
