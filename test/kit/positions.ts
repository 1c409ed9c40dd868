import { type Address, erc20Abi, type Hex, parseAbi } from 'viem'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from './chainReads.js'

const book = loadAddressBook()
const cometAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function borrowBalanceOf(address) view returns (uint256)',
  'function collateralBalanceOf(address, address) view returns (uint128)',
])
const morphoAbi = parseAbi([
  'function market(bytes32) view returns (uint128, uint128, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128, uint128)',
  'function position(bytes32, address) view returns (uint256, uint128 borrowShares, uint128 collateral)',
])

const vaultAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
])

/** What accounts hold and owe on one network, by reads of an outsider at the latest block. */
export function positionsOn(sim: Pick<SimulatorHandle, 'rpc'>, network: NetworkName) {
  const reads = readsOf(sim)
  const client = reads.client(network)
  const networkBook = book.on(network)
  return {
    client,
    book: networkBook,
    /** Native tokens too. */
    balance: (symbol: string, account: Address) => reads.balance(network, symbol, account),
    /** The position in the Comet market of that base asset. */
    async comet(baseSymbol: string, collateralSymbol: string, account: Address) {
      const { address } = networkBook.comets.find((market) => market.baseSymbol === baseSymbol)!
      const asset = book.token(network, collateralSymbol)!.address
      const read = { address, abi: cometAbi }
      const [supplied, debt, collateral] = await Promise.all([
        client.readContract({ ...read, functionName: 'balanceOf', args: [account] }),
        client.readContract({ ...read, functionName: 'borrowBalanceOf', args: [account] }),
        client.readContract({
          ...read,
          functionName: 'collateralBalanceOf',
          args: [account, asset],
        }),
      ])
      return { supplied, debt, collateral }
    },
    /** What an account has supplied of an asset to the Aave pool. */
    aave: (symbol: string, account: Address) => {
      const { aToken } = networkBook.aave.reserves.find((reserve) => reserve.symbol === symbol)!
      return reads.balanceIn(network, aToken, account)
    },
    /** The shares of a vault, and what they are worth. */
    async vault(address: Address, account: Address) {
      const read = { address, abi: vaultAbi }
      const shares = await client.readContract({
        ...read,
        functionName: 'balanceOf',
        args: [account],
      })
      const assets = await client.readContract({
        ...read,
        functionName: 'convertToAssets',
        args: [shares],
      })
      return { shares, assets }
    },
    /** What an account lets a contract take of a token. */
    allowance: (symbol: string, owner: Address, spender: Address) =>
      client.readContract({
        address: book.token(network, symbol)!.address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [owner, spender],
      }),
    /** The position in a Morpho Blue market; the debt as of the market's last accrual, rounded up as the market does. */
    async morpho(id: Hex, account: Address) {
      const read = { address: networkBook.morpho.morpho, abi: morphoAbi }
      const [[, shares, collateral], [, , assets, totalShares]] = await Promise.all([
        client.readContract({ ...read, functionName: 'position', args: [id, account] }),
        client.readContract({ ...read, functionName: 'market', args: [id] }),
      ])
      const [above, below] = [shares * (assets + 1n), totalShares + 1_000_000n]
      return { shares, debt: (above + below - 1n) / below, collateral }
    },
    /** Lets time pass on this chain and mines a block. */
    async warp(seconds: number): Promise<void> {
      await reads.request(network, 'evm_increaseTime', [seconds])
      await reads.request(network, 'evm_mine')
    },
  }
}
