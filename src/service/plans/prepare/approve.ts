import type { TypedDigest } from '../../../chain/wallet/digest.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { planDetails, planDigest } from '../assembly/details.js'
import type { PlanDetails } from '../model/planDetails.js'
import type { Assembled, PlanRequest, PlanSources } from './assemble.js'
import { withinTimeout } from './assemble.js'
import { conflictOf } from './conflicts.js'
import { undeployable } from './deployable.js'
import { simulatePlan } from './simulate.js'
import { feeTaken } from './transferFees.js'

/** What a client signs. */
export interface Signing {
  digest: TypedDigest
  details: PlanDetails
}

/** What it takes to approve of a plan. */
export interface ApproveParts extends PlanSources {
  /** Networks whose tokens are their makers' own. */
  forked?: { has(network: NetworkName): boolean }
}

/**
 * Runs the operations of a plan on the nodes, and makes what the client signs meanwhile.
 *
 * @throws `plan_failed` when an operation would revert or cannot be sent, or when the plan and what is under way need the same.
 */
export async function approve(
  parts: ApproveParts,
  { kind, intent, account, known }: PlanRequest,
  built: Assembled,
): Promise<Signing> {
  const wallet = account.walletAddress
  const { planned, states } = built
  const simulating = Promise.all([
    simulatePlan(parts, wallet, planned),
    conflictOf(parts, account, planned, known.underWay),
    feeTaken(parts, wallet, built),
    undeployable(parts, wallet, planned, states),
  ])
  // Hashing goes on while the nodes run the operations.
  const digest = planDigest(
    planned.map((item) => item.operation),
    wallet,
  )
  const details = planDetails(planned, {
    wallet,
    digest,
    digestOnly: kind.digestOnly ?? false,
    book: parts.book,
  })
  const [outcomes, broken, fee, obstacle] = await withinTimeout(simulating, parts.readTimeoutMs)
  if (obstacle !== undefined)
    throw new ServiceError('plan_failed', obstacle, {
      hint: 'execute a plan on a network before you impersonate the wallet there; anvil_setNonce to 0x0 over /rpc, a restore or a reset lets it be deployed again',
    })
  if (fee !== undefined) throw new ServiceError('plan_failed', fee)
  for (const outcome of outcomes)
    if (outcome) {
      const why = kind.explain?.(outcome, intent, parts.book)
      const text = `the plan would revert: ${outcome.reason}${why ? `: ${why}` : ''}`
      throw new ServiceError('plan_failed', text, {
        hint: `simulated on chain before it was returned; reverted with ${outcome.reason}`,
      })
    }
  if (broken !== undefined)
    throw new ServiceError('plan_failed', broken, {
      hint: 'wait for that activity to end, or request less',
    })
  return { digest, details }
}
