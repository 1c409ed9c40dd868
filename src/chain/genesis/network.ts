import type { Address } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { createFaucet, devAccounts } from '../funds/faucet.js'
import type { Nodes } from '../rpc/node.js'
import { startWorldNode, type WorldNode } from './anvil.js'
import { artifact } from './artifacts.js'
import { place } from './place.js'
import { buildAave } from './protocols/aave.js'
import { buildAcross } from './protocols/across.js'
import { buildComets } from './protocols/comet.js'
import { buildExchange } from './protocols/exchange.js'
import { buildFeeds } from './protocols/feeds.js'
import { buildMorpho } from './protocols/morpho.js'
import { buildRewards } from './protocols/rewards.js'
import { buildRollup } from './protocols/rollup.js'
import { buildSvc } from './protocols/svc.js'
import { buildTokens } from './protocols/tokens.js'
import { buildUniswap } from './protocols/uniswap.js'
import { dumpState } from './state.js'

/**
 * Builds the offline world of one network on an empty node, from compiled contracts to seeded markets, and returns its state
 * as text for `anvil --load-state`. The same inputs give the same text: time, senders and the order of everything are fixed.
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
  // Before its first block anvil answers calls as at time 1, which constructors could take for the truth.
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
  await buildAcross(node, book)
  await buildFeeds(node, book)
  await buildComets(node, book, faucet)
  await buildMorpho(node, book, faucet)
  await buildRewards(node, book, faucet)
  await buildAave(node, book, faucet)
  await buildUniswap(node, book, faucet)
  await buildExchange(node, book, faucet)
  await buildRollup(node, node.network)
  // Last, so that what the build spent does not show.
  await fillPurses(node)
  return dumpState(node)
}

/** Native tokens, in smallest units: the actors', of which a running simulator's relayer pays gas, and a developer's. */
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
