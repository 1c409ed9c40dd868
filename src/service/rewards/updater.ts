import type { Address, Hex } from 'viem'
import { concat, encodeAbiParameters, encodeFunctionData, keccak256 } from 'viem/utils'
import type { Faucet } from '../../chain/funds/faucet.js'
import type { Node, Nodes } from '../../chain/rpc/node.js'
import {
  decodeRewards,
  type MorphoRewardsState,
  rewardsRead,
} from '../../chain/state/marketReads.js'
import { decodeReads, encodeReads } from '../../chain/state/multicall.js'
import type { NetworkState } from '../../chain/state/networkState.js'
import { expectMining, minesBlocks } from '../../chain/transactions/mining.js'
import { sendAs } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { MorphoRewardsBook } from '../../deployments/protocolBook.js'
import { rewardGrantsAbi } from '../../generated/abis.js'
import { ServiceError } from '../../lib/errors.js'
import type { Stateful } from '../../lib/lifecycle.js'
import type { TextAmounts } from '../../lib/textAmounts.js'
import { postForkRoot, postOwnRoot } from './setRoot.js'

/** What a wallet can claim from a rewards distributor, with the proof. Amounts in smallest units. */
export interface RewardClaim {
  network: NetworkName
  distributor: Address
  symbol: string
  token: Address
  /** What the wallet is due ever, as the tree says. */
  claimable: bigint
  /** What it has had of that when this was read; the claim pays the rest. */
  claimed: bigint
  /** The leaf's siblings from the bottom up. */
  proof: Hex[]
}

export function rewardFromText(stored: TextAmounts<RewardClaim>): RewardClaim {
  return { ...stored, claimable: BigInt(stored.claimable), claimed: BigInt(stored.claimed) }
}

/** Computes who has earned which rewards and posts the roots: the off-chain half of Morpho's rewards, which its owner runs. */
export interface RewardsUpdater extends Stateful<RewardsState> {
  /**
   * What the wallet can claim on the snapshot's network; undefined when nothing. Posts a new root first when the newest one has nothing of
   * what the wallet has earned, or is older than `postingInterval`.
   */
  claim(networkState: NetworkState, wallet: Address): Promise<RewardClaim | undefined>
  /**
   * Grants a wallet `amount` more of the network's reward token, and gives the distributor the means to pay it. The next `claim` posts a root
   * with it. Rejects with `ServiceError` `invalid_params` where that asset is no reward.
   */
  grant(request: RewardGrant): Promise<Granted>
}

interface RewardGrant {
  address: Address
  asset: string
  amount: bigint
  network: NetworkName
}

/** What the wallet is due after a grant and has not had yet, in smallest units. */
interface Granted {
  address: Address
  asset: string
  network: NetworkName
  owed: bigint
}

/** Seconds of the chain after which a root may be followed by another one for the same wallet. What was earned since is locked. */
export const postingInterval = 3600n

interface RewardsState {
  wallets: ReadonlySet<Address>
  newest: ReadonlyMap<NetworkName, Posted>
}

/** A posted tree, with what it says of each account. */
interface Posted {
  tree: RewardTree
  claimable: ReadonlyMap<Address, bigint>
  /** Unix seconds. */
  at: bigint
}

/**
 * Remembers the newest tree of each network and compares it with the root on chain, so after a reset of the chain it posts again. The trees
 * hold every wallet that was ever read, and the lender of the offline world, all as of the same moment.
 */
export function createRewardsUpdater({
  nodes,
  book,
  faucet,
  forked = new Set(),
}: {
  nodes: Nodes
  book: AddressBook
  faucet: Faucet
  /** Networks whose distributor is the protocol's own. */
  forked?: { has(network: NetworkName): boolean }
}): RewardsUpdater {
  let wallets = new Set<Address>([actors.lender])
  let newest = new Map<NetworkName, Posted>()
  const turns = new Map<NetworkName, Promise<Posted | undefined>>()

  /**
   * One root at a time per network; a caller that comes while one is being posted gets that one, if it is in it. Undefined when no block comes
   * to post it: the last root then says what can be claimed.
   */
  const post = async (
    network: NetworkName,
    rewards: MorphoRewardsBook,
    { wallet, at }: { wallet: Address; at: bigint },
  ): Promise<Posted | undefined> => {
    for (let running = turns.get(network); running; running = turns.get(network)) {
      const posted = await running
      if (posted?.claimable.has(wallet)) return posted
    }
    const set = forked.has(network) ? postForkRoot : postOwnRoot
    const node = nodes.get(network)
    const known = [...wallets]
    const work = minesBlocks(node)
      .then(async (mines) => {
        if (!mines) return undefined
        const { tree, claimable } = await postRoot(node, book.on(network), rewards, known, set)
        const posted = { tree, claimable, at }
        newest.set(network, posted)
        return posted
      })
      .finally(() => turns.delete(network))
    turns.set(network, work)
    return work
  }

  return {
    async claim({ network, timestamp, morphoRewards }, wallet) {
      if (!morphoRewards) return undefined
      const { rewards, root, claimed, earned } = morphoRewards
      wallets.add(wallet)
      const known = newest.get(network)
      let posted = known?.tree.root === root ? known : undefined
      const isOld = (posted?.at ?? 0n) + postingInterval <= timestamp
      const proven = posted?.claimable.get(wallet) ?? 0n
      if (earned > claimed && earned > proven && (proven === 0n || isOld))
        posted = (await post(network, rewards, { wallet, at: timestamp })) ?? posted
      const claimable = posted?.claimable.get(wallet) ?? 0n
      if (!posted || claimable <= claimed) return undefined
      const { distributor, symbol, token } = rewards
      const proof = posted.tree.proof({ account: wallet, reward: token, claimable })!
      return { network, distributor, symbol, token, claimable, claimed, proof }
    },
    async grant({ address, asset, amount, network }) {
      const node = nodes.get(network)
      const networkBook = book.on(network)
      const rewards = rewardsOf(networkBook, asset)
      await expectMining([node], 'nothing was granted')
      const { distributor, grants, symbol, token } = rewards
      wallets.add(address)
      // Says first whether there are rewards on this network at all.
      const [before] = await statesOf(node, networkBook, rewards, [address])
      // On a fork it may have had more from others than was ever granted here.
      const behind = before!.claimed > before!.earned ? before!.claimed - before!.earned : 0n
      await faucet.fund({ address: distributor, asset: symbol, amount, network })
      const args = [address, token, behind + amount] as const
      const data = encodeFunctionData({ abi: rewardGrantsAbi, functionName: 'grant', args })
      await sendAs(node, { from: actors.admin, to: grants, data })
      // A root that was being posted meanwhile may lack it; without a newest one the next look posts again.
      await turns.get(network)?.catch(() => {})
      newest.delete(network)
      const [state] = await statesOf(node, networkBook, rewards, [address])
      return { address, asset: symbol, network, owed: state!.earned - state!.claimed }
    },
    save: () => ({ wallets: new Set(wallets), newest: new Map(newest) }),
    restore(saved) {
      wallets = new Set(saved.wallets)
      newest = new Map(saved.newest)
    },
  }
}

async function postRoot(
  node: Node,
  book: NetworkBook,
  rewards: MorphoRewardsBook,
  wallets: readonly Address[],
  set: typeof postOwnRoot,
): Promise<Omit<Posted, 'at'>> {
  const states = await statesOf(node, book, rewards, wallets)
  const entitlements = entitlementsOf(states, rewards, wallets)
  const tree = buildTree(entitlements)
  // A distributor refuses the root that it has.
  if (states[0]?.root !== tree.root) await set(node, rewards.distributor, tree.root)
  return {
    tree,
    claimable: new Map(entitlements.map(({ account, claimable }) => [account, claimable])),
  }
}

/** The rewards that the distributor pays in that asset, or 400 `invalid_params`. */
function rewardsOf({ morphoRewards, network }: NetworkBook, asset: string): MorphoRewardsBook {
  if (morphoRewards?.symbol.toLowerCase() === asset.toLowerCase()) return morphoRewards
  const what = morphoRewards ? `pays ${morphoRewards.symbol} only` : 'does not exist'
  throw new ServiceError(
    'invalid_params',
    `asset: ${JSON.stringify(asset)} cannot be granted: the rewards distributor on ${network} ${what}`,
  )
}

/** What each wallet has earned, in their order; those that have earned nothing are left out. */
function entitlementsOf(
  states: readonly MorphoRewardsState[],
  rewards: MorphoRewardsBook,
  wallets: readonly Address[],
): Entitlement[] {
  return states.flatMap(({ earned }, i) =>
    earned > 0n ? [{ account: wallets[i]!, reward: rewards.token, claimable: earned }] : [],
  )
}

async function statesOf(
  node: Node,
  book: NetworkBook,
  rewards: MorphoRewardsBook,
  wallets: readonly Address[],
): Promise<MorphoRewardsState[]> {
  const reads = wallets.map((wallet) => rewardsRead(book, rewards, wallet))
  const returned = await node.rpc.request<Hex>('eth_call', [
    { to: book.multicall3, data: encodeReads(reads) },
    'pending',
  ])
  return decodeReads(returned).map((result) => {
    if (result) return decodeRewards(rewards, result)
    throw new ServiceError(
      'invalid_params',
      `rewards of ${rewards.symbol} cannot be read on ${book.network}: its distributor ${rewards.distributor} does not answer`,
    )
  })
}

/** What an account is due of a token, ever, in its smallest unit. */
export interface Entitlement {
  account: Address
  reward: Address
  claimable: bigint
}

/** A Merkle tree over entitlements, as OpenZeppelin's `MerkleProof` and Morpho's rewards distributor check it. */
interface RewardTree {
  root: Hex
  /** The entitlement's siblings from the bottom up; undefined when it is not in the tree. */
  proof(entitlement: Entitlement): Hex[] | undefined
}

const leafTypes = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const

/** Hashed twice, so that an inner node cannot pass for a leaf. */
function leafOf({ account, reward, claimable }: Entitlement): Hex {
  return keccak256(keccak256(encodeAbiParameters(leafTypes, [account, reward, claimable])))
}

/** Siblings are hashed in ascending order, so a proof need not say which is the left one. */
function parentOf(a: Hex, b: Hex): Hex {
  return keccak256(concat(a < b ? [a, b] : [b, a]))
}

/** The same entitlements, at least one, give the same root in any order. An odd node of a level moves up as it is. */
export function buildTree(entitlements: readonly Entitlement[]): RewardTree {
  const levels: Hex[][] = [entitlements.map(leafOf).sort()]
  for (let level = levels[0]!; level.length > 1; levels.push(level))
    level = pairs(level).map(([left, right]) => (right ? parentOf(left, right) : left))
  return {
    root: levels.at(-1)![0]!,
    proof(entitlement) {
      let place = levels[0]!.indexOf(leafOf(entitlement))
      if (place < 0) return undefined
      return levels.slice(0, -1).flatMap((level) => {
        const sibling = level[place ^ 1]
        place >>= 1
        return sibling ? [sibling] : []
      })
    },
  }
}

function pairs(level: readonly Hex[]): [Hex, Hex | undefined][] {
  return level.flatMap((left, i): [Hex, Hex | undefined][] =>
    i % 2 === 0 ? [[left, level[i + 1]]] : [],
  )
}
