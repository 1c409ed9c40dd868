import type { Abi, Address, Hex } from 'viem'
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  pad,
  parseEventLogs,
  stringToHex,
} from 'viem/utils'
import { artifact } from '../../src/chain/genesis/contracts.js'
import type { Receipt } from '../../src/chain/rpc/node.js'
import { RpcError } from '../../src/chain/rpc/rpc.js'
import { serialQueue } from '../../src/lib/serialQueues.js'
import { lendNode } from '../../test/kit/nodes.js'

/** Accounts of the contract tests. The node acts for any sender, so they need no keys. */
export const alice = account(0xa11ce)
export const bob = account(0xb0b)
export const carol = account(0xca401)
/** Mints, sets prices and governs. */
export const admin = account(0xad)

/** Stands for the native token in the exchange. */
export const native: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const maxUint256 = 2n ** 256n - 1n

type Args = readonly unknown[]
interface SendOptions {
  /** `admin` when left out. */
  from?: Address
  value?: bigint
}

/** A deployed contract, called by function name. */
export interface Contract {
  address: Address
  /** Result of a view, or of a call whose effects are thrown away. */
  read<T = bigint>(functionName: string, args?: Args, options?: SendOptions): Promise<T>
  /** Mines a transaction; rejects when it reverts. */
  send(functionName: string, args?: Args, options?: SendOptions): Promise<Receipt>
  /** The error that the call ends with, as text: `NotMinter(0x…, 0x…)`. Rejects when it succeeds. */
  failure(functionName: string, args?: Args, options?: SendOptions): Promise<string>
  /** Events of this contract in a receipt: name and values in their order, addresses as they come. */
  events(receipt: Receipt): { eventName: string; args: unknown }[]
}

/** One empty anvil whose blocks are a second apart, and the means to deploy and call contracts on it. */
export interface TestChain {
  deploy(name: string, args?: Args, options?: SendOptions): Promise<Contract>
  /** The error that the constructor ends with, as text. */
  deployFailure(name: string, args?: Args): Promise<string>
  balance(address: Address): Promise<bigint>
  setBalance(address: Address, wei: bigint): Promise<void>
  /** Time of the latest block in Unix seconds: what a view sees. */
  now(): Promise<bigint>
  /** Mines a block `seconds` after the latest one. */
  warp(seconds: bigint): Promise<void>
  request<T>(method: string, params?: Args): Promise<T>
  stop(): Promise<void>
}

/** A symbol as the price hub stores it. */
export function symbolKey(symbol: string): Hex {
  return stringToHex(symbol, { size: 32 })
}

/** A receipt comes a moment before its transaction has left the pool; a revert in that moment would lose the next one of its nonce. */
function tidyRequest(request: TestChain['request']): TestChain['request'] {
  const untilPoolIsEmpty = async (): Promise<void> => {
    const { pending } = await request<{ pending: string }>('txpool_status')
    if (BigInt(pending) > 0n) await untilPoolIsEmpty()
  }
  return async (method, params) => {
    if (method === 'evm_revert') await untilPoolIsEmpty()
    return request(method, params)
  }
}

export async function startTestChain(): Promise<TestChain> {
  const node = await lendNode('base', 'empty')
  const request = tidyRequest(node.rpc.request)
  const errors: Abi[number][] = []

  // Gas is free, so that balances change by what the contracts do and nothing else.
  await request('anvil_setNextBlockBaseFeePerGas', ['0x0'])

  // One at a time: two transactions of one sender that meet in the node get the same nonce.
  const inTurn = serialQueue()
  const transact = async (call: object) => {
    const receipt = await inTurn(() =>
      request<Receipt>('eth_sendTransactionSync', [{ ...call, ...gas }]),
    )
    if (receipt.status !== '0x1') throw new Error(`reverted: ${await failureOf(call)}`)
    return receipt
  }
  const failureOf = async (call: object): Promise<string> => {
    try {
      await request('eth_call', [{ ...call, ...gas }, 'latest'])
    } catch (error) {
      if (error instanceof RpcError && error.data) return errorText(errors, error.data)
      throw error
    }
    throw new Error('The call was expected to revert and did not')
  }
  const contractAt = (address: Address, abi: Abi): Contract => {
    const callOf = (functionName: string, args: Args = [], options: SendOptions = {}) => ({
      from: options.from ?? admin,
      to: address,
      data: encodeFunctionData({ abi, functionName, args }),
      value: hex(options.value ?? 0n),
    })
    return {
      address,
      async read<T>(functionName: string, args: Args = [], options: SendOptions = {}) {
        const call = { ...callOf(functionName, args, options), ...gas }
        const data = await request<Hex>('eth_call', [call, 'latest'])
        return decodeFunctionResult({ abi, functionName, args, data }) as T
      },
      send: (functionName, args, options) => transact(callOf(functionName, args, options)),
      failure: (functionName, args, options) => failureOf(callOf(functionName, args, options)),
      events(receipt) {
        const own = receipt.logs.filter((log) => log.address === address.toLowerCase())
        const logs = own as unknown as Parameters<typeof parseEventLogs>[0]['logs']
        const parsed = parseEventLogs({ abi, logs }) as unknown as {
          eventName: string
          args: unknown
        }[]
        return parsed.map(({ eventName, args }) => ({ eventName, args }))
      },
    }
  }
  const creationOf = (name: string, args: Args = [], options: SendOptions = {}) => {
    const { abi, bytecode } = artifact(name)
    errors.push(...abi.filter((item) => item.type === 'error'))
    const data = encodeDeployData({ abi, bytecode, args })
    return { abi, call: { from: options.from ?? admin, data } }
  }

  return {
    async deploy(name, args, options) {
      const { abi, call } = creationOf(name, args, options)
      const { contractAddress } = await transact(call)
      return contractAt(getAddress(contractAddress!), abi)
    },
    deployFailure: (name, args) => failureOf(creationOf(name, args).call),
    balance: async (address) => BigInt(await request<Hex>('eth_getBalance', [address, 'latest'])),
    async setBalance(address, wei) {
      await request('anvil_setBalance', [address, hex(wei)])
    },
    async now() {
      const block = await request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
      return BigInt(block.timestamp)
    },
    async warp(seconds) {
      const block = await request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
      const time = BigInt(block.timestamp) + seconds
      await request('evm_setNextBlockTimestamp', [hex(time)])
      await request('evm_mine')
    },
    request,
    stop: () => node.stop(),
  }
}

const gas = { gas: '0x1c9c380', gasPrice: '0x0' }

function account(number: number): Address {
  return getAddress(pad(hex(BigInt(number)), { size: 20 }))
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function errorText(errors: Abi, data: Hex): string {
  if (data === '0x') return 'reverted without a reason'
  const { errorName, args } = decodeErrorResult({ abi: errors, data })
  const values = (args ?? []) as readonly unknown[]
  return `${errorName}(${values.map((value) => String(value)).join(', ')})`
}
