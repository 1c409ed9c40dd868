import { type Address, createPublicClient, erc20Abi, type Hex, http, type PublicClient } from 'viem'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { rpc } from './http.js'

const book = loadAddressBook()

/** What an outsider with viem sees of a simulator's chains: no code of the product takes part in a read. */
export interface ChainReads {
  client(network: NetworkName): PublicClient
  /** In the smallest unit; native tokens by their symbol too. */
  balance(network: NetworkName, symbol: string, account: Address): Promise<bigint>
  /** `balanceOf` of any contract that has one: a token, or a market with a position. */
  balanceIn(network: NetworkName, contract: Address, account: Address): Promise<bigint>
  /** Whether there is code at the address. */
  isDeployed(network: NetworkName, address: Address): Promise<boolean>
  /** A raw request, for what viem has no action for. Rejects with the node's message. */
  request<T = unknown>(network: NetworkName, method: string, params?: unknown[]): Promise<T>
  /** Takes back the blocks above this one, with `anvil_rollback`. */
  rollbackTo(network: NetworkName, block: Hex): Promise<void>
  /** Sends from any account, which the node acts for, and waits for the receipt. The account gets what the gas costs. */
  sendAs(network: NetworkName, from: Address, call: { to: Address; data: Hex }): Promise<void>
}

export function readsOf(sim: Pick<SimulatorHandle, 'rpc'>): ChainReads {
  const clients = new Map(
    networkNames.map((network) => [
      network,
      createPublicClient({ transport: http(sim.rpc(network)), cacheTime: 0 }),
    ]),
  )
  const client = (network: NetworkName): PublicClient => clients.get(network)!
  const request: ChainReads['request'] = (network, method, params) =>
    rpc(sim.rpc(network), method, params)
  const balanceIn: ChainReads['balanceIn'] = (network, address, account) =>
    client(network).readContract({
      address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })
  return {
    client,
    request,
    balanceIn,
    balance(network, symbol, account) {
      const token = book.token(network, symbol)!
      return token.native
        ? client(network).getBalance({ address: account })
        : balanceIn(network, token.address, account)
    },
    async rollbackTo(network, block) {
      const latest = await request<Hex>(network, 'eth_blockNumber')
      await request(network, 'anvil_rollback', [Number(latest) - Number(block)])
    },
    isDeployed: async (network, address) =>
      (await client(network).getCode({ address })) !== undefined,
    async sendAs(network, from, call) {
      const send = async (): Promise<void> => {
        const receipt = await request<{ status: Hex }>(network, 'eth_sendTransactionSync', [
          // Not estimated: a transaction in another second than its estimate may need more, where interest accrues.
          { from, gas: '0x2dc6c0', ...call },
        ])
        if (receipt.status !== '0x1') throw new Error(`the transaction of ${from} reverted`)
      }
      // The simulator's own accounts can send in any case, and have to go on.
      if (Object.values(actors).includes(from as (typeof actors)[keyof typeof actors]))
        return send()
      const before = await request<Hex>(network, 'eth_getBalance', [from, 'latest'])
      await request(network, 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
      await request(network, 'anvil_impersonateAccount', [from])
      try {
        await send()
      } finally {
        await request(network, 'anvil_stopImpersonatingAccount', [from])
        await request(network, 'anvil_setBalance', [from, before])
      }
    },
  }
}
