import { type Address, type Hex, zeroHash } from 'viem'
import { concat, encodeFunctionData, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { loadAddressBook, type NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { createFaucet, devAccounts, type Faucet } from '../funds/faucet.js'
import type { Node, Nodes } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'
import { dumpState, startWorldNode, type WorldNode } from './anvil.js'
import { act, artifact, type Deployment, deployments, place } from './contracts.js'
import { worth } from './prices.js'
import { buildAave } from './protocols/aave.js'
import { buildComets } from './protocols/comet.js'
import { buildFeeds, buildTokens } from './protocols/feeds.js'
import { buildMorpho } from './protocols/morpho.js'
import { buildUniswap } from './protocols/uniswap.js'

/**
 * Builds the offline world of one network, from compiled contracts to seeded markets; resolves to its state as text for
 * `anvil --load-state`. The same inputs give the same text: time, senders and order are fixed.
 */
export async function buildNetwork(network: NetworkName): Promise<string> {
  const node = await startWorldNode(network)
  try {
    return await buildOn(node)
  } finally {
    await node.stop()
  }
}

async function buildOn(node: WorldNode): Promise<string> {
  const addressBook = loadAddressBook()
  const book = addressBook.on(node.network)
  const faucet = createFaucet(onlyNode(node), addressBook)
  // Before its first block, anvil runs calls at time 1, which constructors could store.
  await node.rpc.request('evm_mine')
  await fillPurses(node)
  await buildSvc(node)
  await place(node, book.multicall3, artifact('Multicall3'))
  await place(node, book.cometLens, artifact('CometLens'))
  await place(node, book.morphoLens, artifact('MorphoLens'))
  await place(node, book.aaveLens, artifact('AaveLens'))
  await place(node, book.vaultLens, artifact('VaultLens'))
  await place(node, book.rewardsLens, artifact('RewardsLens'))
  await place(node, book.nonceLens, artifact('NonceLens'))
  await buildTokens(node, book)
  // It needs no liquidity, because relayers pay fills themselves.
  const wrapped = book.tokens.find(({ symbol }) => symbol === book.wrappedNativeSymbol)!.address
  await place(node, book.spokePool, artifact('SpokePool'), [wrapped, actors.admin])
  await buildFeeds(node, book)
  await buildComets(node, book, faucet)
  await buildMorpho(node, book, faucet)
  await buildRewards(node, book, faucet)
  await buildAave(node, book, faucet)
  await buildUniswap(node, book, faucet)
  await buildExchange(node, book, faucet)
  await buildRollup(node, node.network)
  // Again, to restore what the build has spent.
  await fillPurses(node)
  return dumpState(node)
}

/** Native balances of actors (the relayer pays gas) and of development accounts, in wei. */
const actorPurse = 1_000_000n * 10n ** 18n
const devPurse = 10_000n * 10n ** 18n

async function fillPurses(node: WorldNode): Promise<void> {
  const set = (address: Address, amount: bigint) =>
    node.rpc.request('anvil_setBalance', [address, toHex(amount)])
  for (const address of Object.values(actors)) await set(address, actorPurse)
  for (const { address } of devAccounts) await set(address, devPurse)
}

function onlyNode(node: WorldNode): Nodes {
  return { get: () => node, all: () => [node], stop: () => node.stop() }
}

/** The deterministic deployment proxy, which anvil and nearly every public chain have. */
const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/**
 * Deploys the simulator's own contracts through the CREATE2 deployer, and scripts through the script store. Throws when an address differs
 * from the one that the Solidity build computed.
 */
async function buildSvc(node: Node): Promise<void> {
  const list = deployments()
  const store = list.find((deployment) => deployment.name === 'SvcScriptStore')!.address
  for (const deployment of list) {
    await sendAs(node, { from: actors.admin, ...deploymentCall(deployment, store) })
    const code = await node.rpc.request<Hex>('eth_getCode', [deployment.address, 'latest'])
    if (code === '0x')
      throw new Error(
        `${deployment.name} was not deployed at ${deployment.address} on ${node.network}. ` +
          'Run "npm run build:contracts" and build the world again.',
      )
  }
}

function deploymentCall({ via, initcode }: Deployment, store: Address): { to: Address; data: Hex } {
  if (via === 'create2') return { to: create2Deployer, data: concat([zeroHash, initcode]) }
  const { abi } = artifact('SvcScriptStore')
  const data = encodeFunctionData({ abi, functionName: 'store', args: [initcode] })
  return { to: store, data }
}

/** US dollars of each token in the exchange. */
const inventoryUsd = 50_000_000n

/** Registers the feed of every token, native included, and fills the inventory. */
async function buildExchange(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const exchange = { address: book.exchange, abi: artifact('Exchange').abi }
  for (const token of book.tokens) {
    await act(node, actors.admin, exchange, 'setFeed', [token.address, token.feed])
    await faucet.fund({
      address: book.exchange,
      asset: token.symbol,
      amount: worth(inventoryUsd, token),
      network: book.network,
    })
  }
}

/** Reward tokens in the distributor, in whole tokens: enough for decades. */
const rewardTokens = 100_000_000n

/** Places and funds the distributor of rewards for vault holders. It has no root until rewards are earned. */
async function buildRewards(node: Node, book: NetworkBook, faucet: Faucet): Promise<void> {
  const rewards = book.morphoRewards
  if (!rewards) return
  await place(node, rewards.distributor, artifact('RewardsDistributor'), [actors.admin])
  await place(node, rewards.grants, artifact('RewardGrants'), [actors.admin])
  await faucet.fund({
    address: rewards.distributor,
    asset: rewards.symbol,
    amount: rewardTokens * 10n ** 18n,
    network: book.network,
  })
}

/** Predeployed contracts of rollups that SDKs call. They have no state and no constructor. */
const opStack: Readonly<Record<string, Address>> = {
  GasPriceOracle: '0x420000000000000000000000000000000000000f',
  L1Block: '0x4200000000000000000000000000000000000015',
}

const arbitrum: Readonly<Record<string, Address>> = {
  ArbSys: '0x0000000000000000000000000000000000000064',
  ArbGasInfo: '0x000000000000000000000000000000000000006c',
  NodeInterface: '0x00000000000000000000000000000000000000c8',
}

const rollups: Readonly<Partial<Record<NetworkName, Readonly<Record<string, Address>>>>> = {
  base: opStack,
  optimism: opStack,
  arbitrum,
}

/** Places the predeployed contracts, if the network is a rollup. */
async function buildRollup(node: Node, network: NetworkName): Promise<void> {
  for (const [name, address] of Object.entries(rollups[network] ?? {}))
    await node.rpc.request('anvil_setCode', [address, artifact(name).deployedBytecode])
}
