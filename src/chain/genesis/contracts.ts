import { readFileSync } from 'node:fs'
import { type Abi, type Address, type Hex, maxUint256 } from 'viem'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { allow } from '../funds/allow.js'
import type { Faucet } from '../funds/faucet.js'
import type { Node, Receipt } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'

/** A compiled contract as the Solidity build leaves it in `contracts/out/<name>.json`. */
export interface Artifact {
  name: string
  abi: Abi
  /** Creation code without constructor arguments. */
  bytecode: Hex
  /** The code that is left of it once deployed, immutables zero; of our own contracts only. */
  deployedBytecode?: Hex
  /** Where addresses of libraries belong in code that is not linked: file, library, places in bytes. */
  linkReferences?: Record<string, Record<string, { start: number; length: number }[]>>
}

/** One of the simulator's own contracts, at an address that CREATE2 makes the same on every network. */
export interface Deployment {
  name: string
  /** Creation code with constructor arguments. */
  initcode: Hex
  address: Address
  via: 'create2' | 'scriptStore'
}

/** The compiled contract of that name; another maker's as `vendor/<name>`. */
export function artifact(name: string): Artifact {
  return { ...(readOutput(`${name}.json`) as Omit<Artifact, 'name'>), name }
}

/** The simulator's own contracts, in the order in which they have to be deployed. */
export function deployments(): Deployment[] {
  return readOutput('deployments.json') as Deployment[]
}

function readOutput(file: string): unknown {
  const path = packageFile(`contracts/out/${file}`)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(
      `The compiled contract ${path} cannot be read. Run "npm run build:contracts".`,
      { cause },
    )
  }
}

/**
 * Puts a contract at a chosen address and runs its constructor there, with the admin actor as sender: the creation code
 * stands at the address while a call to it runs the constructor in place. The call first yields the runtime code (with
 * immutables and `address(this)` right), then, as a transaction, writes the storage. The nonce ends at 1, as after a
 * real deployment. A constructor that asks whether its own address has code already gets another answer than usual.
 */
export async function place(
  node: Node,
  address: Address,
  artifact: Artifact,
  args: readonly unknown[] = [],
): Promise<void> {
  const creation = encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args })
  const call = { from: actors.admin, to: address }
  await node.rpc.request('anvil_setCode', [address, creation])
  const runtime = await node.rpc.request<Hex>('eth_call', [call, 'latest'])
  if (runtime === '0x')
    throw new Error(`${artifact.name} at ${address}: its constructor ran to nothing`)
  await sendAs(node, call)
  await node.rpc.request('anvil_setCode', [address, runtime])
  await node.rpc.request('anvil_setNonce', [address, '0x1'])
}

/** A contract of the world as its builder talks to it. */
export interface CallTarget {
  address: Address
  abi: Abi
}

/** Sends a transaction to a contract; throws `ChainRevert` when it reverts. */
export function act(
  node: Node,
  from: Address,
  { address, abi }: CallTarget,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<Receipt> {
  return sendAs(node, { from, to: address, data: encodeFunctionData({ abi, functionName, args }) })
}

/** The decoded result of a view. */
export async function ask<T>(
  node: Node,
  { address, abi }: CallTarget,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<T> {
  const data = encodeFunctionData({ abi, functionName, args })
  const result = await node.rpc.request<Hex>('eth_call', [{ to: address, data }, 'latest'])
  return decodeFunctionResult({ abi, functionName, args, data: result }) as T
}

/** Funds an account and lets `spender` take the token, now and later. */
export async function fundFor(
  spender: Address,
  node: Node,
  faucet: Faucet,
  {
    owner,
    symbol,
    token,
    amount,
  }: { owner: Address; symbol: string; token: Address; amount: bigint },
): Promise<void> {
  await faucet.fund({ address: owner, asset: symbol, amount, network: node.network })
  await allow(node, { token, owner, spender, amount: maxUint256 })
}
