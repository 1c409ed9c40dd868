import type { Abi, Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { encodeFunctionData, getCreate2Address, pad, parseEventLogs, toHex } from 'viem/utils'
import { createFaucet } from '../src/chain/funds/faucet.js'
import { artifact } from '../src/chain/genesis/contracts.js'
import type { Receipt, SendRequest } from '../src/chain/rpc/node.js'
import { RpcError } from '../src/chain/rpc/rpc.js'
import { decodeRevert } from '../src/chain/transactions/revert.js'
import { ChainRevert, sendAs } from '../src/chain/transactions/send.js'
import {
  encodeExecution,
  multiDigest,
  operationDigest,
  type SignedOperation,
  walletAddressOf,
} from '../src/chain/wallet/wallet.js'
import { actors } from '../src/deployments/actors.js'
import { loadAddressBook, type NetworkBook } from '../src/deployments/addressBook.js'
import type { NetworkName } from '../src/deployments/networks.js'
import { svcScriptStoreAbi } from '../src/generated/abis.js'
import { svcAddresses } from '../src/generated/svc.js'
import { lendNode } from '../test/kit/nodes.js'

/** One network of the offline world on a node of its own, for the tests of wallet and scripts. */
export interface WalletWorld {
  chainId: number
  book: NetworkBook
  request<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Mines a transaction from the relayer or `from`; rejects when it reverts. */
  send(request: Omit<SendRequest, 'from'> & { from?: Address }): Promise<Receipt>
  /** Result of a call at the latest block, or at a time of one's choice in Unix seconds. */
  call(to: Address, data: Hex, atSeconds?: bigint): Promise<Hex>
  /** Adds to the balance of an asset, smallest units. */
  fund(owner: Address, symbol: string, amount: bigint): Promise<void>
  balance(owner: Address, symbol: string): Promise<bigint>
  stop(): Promise<void>
}

export async function startWalletWorld(network: NetworkName): Promise<WalletWorld> {
  const addressBook = loadAddressBook()
  const node = await lendNode(network)
  const faucet = createFaucet(
    { get: () => node, all: () => [node], stop: () => node.stop() },
    addressBook,
  )
  const request = node.rpc.request
  return {
    chainId: node.chainId,
    book: addressBook.on(network),
    request,
    send: (transaction) => sendAs(node, { from: actors.relayer, ...transaction }),
    call: (to, data, atSeconds) =>
      request('eth_call', [
        { from: actors.relayer, to, data },
        'latest',
        null,
        atSeconds === undefined ? null : { time: toHex(atSeconds) },
      ]),
    async fund(address, asset, amount) {
      await faucet.fund({ address, asset, amount, network })
    },
    async balance(owner, symbol) {
      const token = addressBook.token(network, symbol)!
      if (token.native) return BigInt(await request<Hex>('eth_getBalance', [owner, 'latest']))
      const data: Hex = `0x70a08231${pad(owner, { size: 32 }).slice(2)}` // balanceOf(address)
      return BigInt(await request<Hex>('eth_call', [{ to: token.address, data }, 'latest']))
    },
    stop: () => node.stop(),
  }
}

/** Somebody with a key and the wallet that goes with it. */
export interface Person {
  address: Address
  /** Lower case, the same on every network, and not yet deployed on any. */
  wallet: Address
  /** Signs a digest as it is; 65 bytes with v 27 or 28. */
  sign(digest: Hex): Promise<Hex>
}

/** Person number `key`: each test takes people of its own, so that wallets and balances start empty. */
export function person(key: number): Person {
  const account = privateKeyToAccount(pad(toHex(0x5afe0000 + key), { size: 32 }))
  return {
    address: account.address,
    wallet: walletAddressOf(account.address),
    sign: (hash) => account.sign({ hash }),
  }
}

/** Where a contract stands when it is stored as a script. */
export function scriptAddressOf(name: string): Address {
  const { bytecode } = artifact(name)
  return getCreate2Address({ from: svcAddresses.scriptStore, salt: pad('0x'), bytecode })
}

/** Stores a contract as a script; resolves to its address. */
export async function storeScript(world: WalletWorld, name: string): Promise<Address> {
  const args = [artifact(name).bytecode] as const
  const data = encodeFunctionData({ abi: svcScriptStoreAbi, functionName: 'store', args })
  await world.send({ to: svcAddresses.scriptStore, data })
  return scriptAddressOf(name)
}

let lastNonce = 0n

/** An operation with a fresh nonce that stays valid until 2100. */
export function operation(
  scriptAddress: Address,
  scriptCalldata: Hex,
  rest: Partial<SignedOperation> = {},
): SignedOperation {
  return {
    nonce: pad(toHex(++lastNonce), { size: 32 }),
    isReplayable: false,
    scriptAddress,
    scriptSources: [],
    scriptCalldata,
    expiry: 4_102_444_800,
    ...rest,
  }
}

/** Signs one operation alone, or several as a list, and executes them through the factory, as the service does. */
export async function execute(
  world: WalletWorld,
  who: Person,
  ...operations: SignedOperation[]
): Promise<Receipt> {
  return world.send(await signedCall(world, who, operations))
}

/** The call that `execute` sends. */
export async function signedCall(
  world: WalletWorld,
  who: Person,
  operations: readonly SignedOperation[],
): Promise<{ to: Address; data: Hex }> {
  const digests = operations.map((op) => operationDigest(op, world.chainId, who.wallet).digest)
  const [single] = digests
  const isSingle = digests.length === 1 && single !== undefined
  return encodeExecution({
    signer: who.address,
    operations,
    opDigests: isSingle ? undefined : digests,
    signature: await who.sign(isSingle ? single : multiDigest(digests).digest),
  })
}

/** The events of one contract in a receipt that the ABI knows, in order; addresses with checksum. */
export function eventsOf(
  receipt: Receipt,
  contract: Address,
  abi: Abi,
): { eventName: string; args: unknown }[] {
  const own = receipt.logs.filter((log) => log.address === contract.toLowerCase())
  // viem's type asks for the rest of a log, which decoding does not look at.
  const logs = own as unknown as Parameters<typeof parseEventLogs>[0]['logs']
  const events = parseEventLogs({ abi, logs }) as unknown as { eventName: string; args: unknown }[]
  return events.map(({ eventName, args }) => ({ eventName, args }))
}

/** Why a transaction or call reverts, as text: `BadSignatory()`. Rejects when it does not. */
export async function revertOf(outcome: Promise<unknown>): Promise<string> {
  try {
    await outcome
  } catch (error) {
    if (error instanceof ChainRevert) return decodeRevert(error.data).reason
    if (error instanceof RpcError && error.data) return decodeRevert(error.data).reason
    throw error
  }
  throw new Error('The transaction was expected to revert and did not.')
}
