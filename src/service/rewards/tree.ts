import type { Address, Hex } from 'viem'
import { concat, encodeAbiParameters, keccak256 } from 'viem/utils'

/** What an account is due of a token, ever, in its smallest unit. */
export interface Entitlement {
  account: Address
  reward: Address
  claimable: bigint
}

/** A Merkle tree over entitlements, as OpenZeppelin's `MerkleProof` and Morpho's rewards distributor check it. */
export interface RewardTree {
  root: Hex
  /** The entitlement's siblings from the bottom up; undefined when it is not in the tree. */
  proof(entitlement: Entitlement): Hex[] | undefined
}

const leafTypes = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const

/** Hashed twice, so that an inner node cannot pass for a leaf. */
function leafOf({ account, reward, claimable }: Entitlement): Hex {
  return keccak256(keccak256(encodeAbiParameters(leafTypes, [account, reward, claimable])))
}

/** Siblings are hashed in ascending order, so a proof need not say which of them stands left. */
function parentOf(a: Hex, b: Hex): Hex {
  return keccak256(concat(a < b ? [a, b] : [b, a]))
}

/**
 * Builds the tree. The same entitlements in any order give the same root. At least one is needed. Where a level has an odd
 * node, it moves up as it is.
 */
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
