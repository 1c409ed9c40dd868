import { type NetworkName, networkOf } from '../../../../deployments/networks.js'

/** What wallets put into pages (EIP-1193). */
interface Wallet {
  request(call: { method: string; params: readonly unknown[] }): Promise<unknown>
}

/** The wallet of this browser, if it has one. */
export function walletHere(): Wallet | undefined {
  return (globalThis as { ethereum?: Wallet }).ethereum
}

/** Asks a wallet to add a network of the simulator (EIP-3085); the person confirms it there. */
export function addNetwork(wallet: Wallet, network: NetworkName, rpcUrl: string): Promise<unknown> {
  const { chainId, displayName } = networkOf(network)
  const symbol = network === 'polygon' ? 'POL' : 'ETH'
  const chain = {
    chainId: `0x${chainId.toString(16)}`,
    chainName: `${displayName} (svc-sim)`,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: [rpcUrl],
  }
  return wallet.request({ method: 'wallet_addEthereumChain', params: [chain] })
}
