import { readFileSync } from 'node:fs'
import { type Abi, type Address, type Hex, maxUint256 } from 'viem'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { allow } from '../funds/allow.js'
import type { Faucet } from '../funds/faucet.js'
import type { Node, Receipt } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'

/** A compiled contract in `contracts/out/<name>.json`. */
export interface Artifact {
  name: string
  abi: Abi
  /** Creation code without constructor arguments. */
  bytecode: Hex
  /** Runtime code with immutables zero. Only for our own contracts. */
  deployedBytecode?: Hex
  /** Places of library addresses in unlinked code, in bytes, by file and library. */
  linkReferences?: Record<string, Record<string, { start: number; length: number }[]>>
}

/** One of the simulator's own contracts. CREATE2 gives it the same address on every network. */
export interface Deployment {
  name: string
  /** Creation code with constructor arguments. */
  initcode: Hex
  address: Address
  via: 'create2' | 'scriptStore'
}

/** The compiled contract of that name; third-party ones as `vendor/<name>`. */
export function artifact(name: string): Artifact {
  return { ...(readOutput(`${name}.json`) as Omit<Artifact, 'name'>), name }
}

/** The simulator's own contracts, in the order of deployment. */
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
 * Deploys a contract at a chosen address, with the admin actor as sender: sets the creation code at the address and calls it. An `eth_call`
 * returns the runtime code (with correct immutables and `address(this)`); a transaction writes the storage. Afterwards the nonce is 1, as
 * after a real deployment. Unlike there, the constructor finds code at its own address.
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

export interface CallTarget {
  address: Address
  abi: Abi
}

/** Sends a transaction; throws `ChainRevert` when it reverts. */
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

/** Funds an account, and approves `spender` without a limit. */
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
