import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { feeRecipient } from '../../src/deployments/actors.js'
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
  'function maxWithdraw(address) view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const walletAbi = parseAbi([
  'event OperationExecuted(address indexed submitter, address indexed scriptAddress, bytes32 indexed nonce, bytes32 submissionToken, bool isReplayable)',
])
const wrapAbi = parseAbi([
  'event Deposit(address indexed account, uint256 amount)',
  'event Withdrawal(address indexed account, uint256 amount)',
])
const exchangeAbi = parseAbi([
  'event Swapped(address indexed sender, address indexed sellToken, address indexed buyToken, uint256 sellAmount, uint256 buyAmount, address recipient)',
])

const accrueAbi = parseAbi([
  'function accrueInterest((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) params)',
])
const anybody = '0x00000000000000000000000000000000000a2b0d'

/** The assets whose every unit is accounted for. */
export const tracked = ['USDC', 'WETH'] as const
export type Tracked = (typeof tracked)[number]

/** What an account has on one network, in smallest units; debts are positive numbers of their own. */
export interface Holding {
  wallet: Record<Tracked, bigint>
  comet: { supplied: bigint; debt: bigint; collateral: bigint }
  aave: Record<Tracked, bigint>
  vault: bigint
  morpho: { debt: bigint; collateral: bigint }
}

/** Everything the account has of an asset on the network, less what it owes. */
export function netOf({ wallet, comet, aave, vault, morpho }: Holding, asset: Tracked): bigint {
  const own = wallet[asset] + aave[asset]
  return asset === 'USDC'
    ? own + comet.supplied - comet.debt + vault - morpho.debt
    : own + comet.collateral + morpho.collateral
}

/** The markets that the ledger of a network looks at: the first Comet, Aave, a USDC vault, and WETH/USDC on Morpho. */
export function marketsOf(network: NetworkName) {
  const networkBook = book.on(network)
  return {
    comet: networkBook.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!,
    vault: networkBook.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!,
    market: networkBook.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!,
    aToken: (asset: Tracked) =>
      networkBook.aave.reserves.find(({ symbol }) => symbol === asset)!.aToken,
    token: (asset: Tracked) => book.token(network, asset)!.address,
    place: networkBook,
  }
}

/** An outsider's books of accounts: only the contracts' own read functions and logs, no code of the product. */
export function ledgerOf(sim: Pick<SimulatorHandle, 'rpc'>) {
  const reads = readsOf(sim)
  return {
    async holding(network: NetworkName, account: Address): Promise<Holding> {
      const { comet, vault, market, aToken, token, place: networkBook } = marketsOf(network)
      const client = reads.client(network)
      const ofComet = { address: comet.address, abi: cometAbi }
      const ofMorpho = { address: networkBook.morpho.morpho, abi: morphoAbi }
      const ofVault = { address: vault.address, abi: vaultAbi }
      const ofToken = (address: Address) =>
        ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] }) as const
      const [usdc, weth, supplied, debt, collateral, aUsdc, aWeth, shares, position, sums] =
        await client.multicall({
          allowFailure: false,
          batchSize: 0,
          multicallAddress: networkBook.multicall3,
          contracts: [
            ofToken(token('USDC')),
            ofToken(token('WETH')),
            { ...ofComet, functionName: 'balanceOf', args: [account] },
            { ...ofComet, functionName: 'borrowBalanceOf', args: [account] },
            { ...ofComet, functionName: 'collateralBalanceOf', args: [account, token('WETH')] },
            ofToken(aToken('USDC')),
            ofToken(aToken('WETH')),
            { ...ofVault, functionName: 'balanceOf', args: [account] },
            { ...ofMorpho, functionName: 'position', args: [market.id, account] },
            { ...ofMorpho, functionName: 'market', args: [market.id] },
          ],
        })
      const assets = await client.readContract({
        ...ofVault,
        functionName: 'convertToAssets',
        args: [shares],
      })
      const [above, below] = [position[1] * (sums[2] + 1n), sums[3] + 1_000_000n]
      return {
        wallet: { USDC: usdc, WETH: weth },
        comet: { supplied, debt, collateral },
        aave: { USDC: aUsdc, WETH: aWeth },
        vault: assets,
        morpho: { debt: (above + below - 1n) / below, collateral: position[2] },
      }
    },
    /** Morpho Blue's sums are those of its last accrual, which anybody may ask for: this does, after time has passed. */
    async accrue(network: NetworkName): Promise<void> {
      const { place: networkBook, market } = marketsOf(network)
      const { loanToken, collateralToken, oracle, irm, lltv } = market
      const data = encodeFunctionData({
        abi: accrueAbi,
        args: [{ loanToken, collateralToken, oracle, irm, lltv }],
      })
      await reads.sendAs(network, anybody, { to: networkBook.morpho.morpho, data })
    },
    block: async (network: NetworkName) => reads.client(network).getBlockNumber(),
    /** What the logs after a block say of an account: what came in and went out, its operations, its swaps' fees. */
    async since(network: NetworkName, block: bigint, account: Address) {
      const client = reads.client(network)
      const receipts = await receiptsAfter(client, block)
      const logs = receipts.flatMap((receipt) => receipt.logs)
      const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
      const { token, place: networkBook, comet, vault, aToken } = marketsOf(network)
      // The account and the protocols that keep its positions: some scripts let a protocol pay an outsider directly.
      const inside = new Set(
        [
          account,
          comet.address,
          vault.address,
          networkBook.morpho.morpho,
          aToken('USDC'),
          aToken('WETH'),
        ].map((address) => address.toLowerCase()),
      )
      // A bridge may pay native ether out, which the wallet then wraps.
      const wraps = parseEventLogs({ abi: wrapAbi, logs }).filter(
        ({ args, address }) =>
          address.toLowerCase() === token('WETH') && args.account.toLowerCase() === account,
      )
      const wrapped = (asset: Tracked): bigint =>
        asset === 'USDC'
          ? 0n
          : wraps.reduce((sum, { eventName, args }) => {
              return eventName === 'Deposit' ? sum + args.amount : sum - args.amount
            }, 0n)
      const flow = (asset: Tracked): bigint =>
        transfers
          .filter(({ address }) => address.toLowerCase() === token(asset))
          .reduce((sum, { args: { from, to, value } }) => {
            const [out, into] = [from, to].map((each) => inside.has(each.toLowerCase()))
            return sum + (into ? value : 0n) - (out ? value : 0n)
          }, 0n) + wrapped(asset)
      const fees = (asset: Tracked): bigint =>
        transfers
          .filter(
            ({ address, args }) =>
              address.toLowerCase() === token(asset) && args.to.toLowerCase() === feeRecipient,
          )
          .reduce((sum, { args }) => sum + args.value, 0n)
      const swaps = parseEventLogs({ abi: exchangeAbi, logs }).filter(
        ({ args }) => args.sender.toLowerCase() === account,
      )
      const operations = parseEventLogs({ abi: walletAbi, logs }).filter(
        ({ address }) => address.toLowerCase() === account,
      )
      return {
        flow: { USDC: flow('USDC'), WETH: flow('WETH') },
        fees: { USDC: fees('USDC'), WETH: fees('WETH') },
        swaps: swaps.map(({ args }) => ({
          buyToken: args.buyToken.toLowerCase(),
          buyAmount: args.buyAmount,
        })),
        nonces: operations.map(({ args }): Hex => args.nonce),
      }
    },
  }
}

async function receiptsAfter(
  client: ReturnType<ReturnType<typeof readsOf>['client']>,
  block: bigint,
): Promise<TransactionReceipt[]> {
  const latest = await client.getBlockNumber()
  const numbers = Array.from({ length: Number(latest - block) }, (_, i) => block + 1n + BigInt(i))
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
  const hashes = blocks.flatMap(({ transactions }) => transactions as Hex[])
  return Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
}
