import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames, networkOf } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from './chainReads.js'

/** A transaction without a sender. Amounts in the smallest unit. */
interface Payment {
  to: Address
  value?: bigint
  data?: Hex
}

/** Somebody with a key of its own and native funds on these networks: signs transactions and sends them over `/rpc`. */
export async function openPayer(
  sim: SimulatorHandle,
  networks: readonly NetworkName[] = networkNames,
  key = generatePrivateKey(),
) {
  const account = privateKeyToAccount(key)
  const { request } = readsOf(sim)
  const book = loadAddressBook()
  for (const network of networks)
    await request(network, 'anvil_setBalance', [account.address, toHex(parseEther('100'))])
  /** The signed transaction. */
  const sign = async (network: NetworkName, payment: Payment, nonce?: number): Promise<Hex> => {
    const client = createWalletClient({ account, transport: http(sim.rpc(network)) })
    const next = await request<Hex>(network, 'eth_getTransactionCount', [
      account.address,
      'pending',
    ])
    return client.signTransaction({
      ...payment,
      chain: null,
      chainId: networkOf(network).chainId,
      nonce: nonce ?? Number(next),
      gas: 1_000_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
  }
  /** Takes it to the pool; resolves to its hash. */
  const submit = async (network: NetworkName, payment: Payment): Promise<Hex> =>
    request(network, 'eth_sendRawTransaction', [await sign(network, payment)])
  /** Resolves to the hash when it is mined; rejects when it reverts. */
  const sendRaw = async (network: NetworkName, signed: Hex): Promise<Hex> => {
    const method = 'eth_sendRawTransactionSync'
    const receipt = await request<{ transactionHash: Hex; status: Hex }>(network, method, [signed])
    if (receipt.status !== '0x1') throw new Error(`${receipt.transactionHash} reverted`)
    return receipt.transactionHash
  }
  const send = async (network: NetworkName, payment: Payment): Promise<Hex> =>
    sendRaw(network, await sign(network, payment))
  return {
    address: account.address,
    request,
    sign,
    send,
    sendRaw,
    sendNative: (network: NetworkName, to: Address, value: bigint) => send(network, { to, value }),
    submitNative: (network: NetworkName, to: Address, value: bigint) =>
      submit(network, { to, value }),
    /** Out of the faucet's hands first. */
    async sendToken(network: NetworkName, asset: string, to: Address, amount: bigint) {
      const { address } = account
      if (amount > 0n) await sim.fund({ address, asset, network, amount: amount.toString() })
      const args = [to, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return send(network, { to: book.token(network, asset)!.address, data })
    },
  }
}
