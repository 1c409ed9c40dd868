import type { RewardClaim } from './updater.js'

/** A claim as a stored plan holds it: amounts as decimal strings. */
export type RewardClaimJson = Omit<RewardClaim, 'claimable' | 'claimed'> &
  Record<'claimable' | 'claimed', string>

export function claimToJson(claim: RewardClaim): RewardClaimJson {
  return { ...claim, claimable: claim.claimable.toString(), claimed: claim.claimed.toString() }
}

export function claimFromJson(json: RewardClaimJson): RewardClaim {
  return { ...json, claimable: BigInt(json.claimable), claimed: BigInt(json.claimed) }
}
