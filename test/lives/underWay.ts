import { type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import { svcAddresses } from '../../src/generated/svc.js'
import type { PlanBody } from '../kit/user.js'
import { type Life, type Place, places } from './life.js'
import { bodyOf } from './plans.js'
import { chainIdOf, type Sight } from './sight.js'

/** What operations that are under way hold of the wallet's money, by the chains and the signed plans. */

const nonceAbi = parseAbi(['function submissionTokenOf(address, bytes32) view returns (bytes32)'])

/** An operation of a pending activity that has neither run nor failed. */
interface Open {
  nonce: Hex
  /** It waits for bridges of a plan of which a part has failed. */
  isDoomed: boolean
}

/** Operations that are under way on a network. */
export function openOn({ memory }: Life, { activities }: Sight, on: Place): Open[] {
  return activities
    .filter(({ activity_status }) => activity_status === 'pending')
    .flatMap(({ activity_id, activity_metadata }) => {
      const { plan } = memory.executions.find(({ activityId }) => activityId === activity_id)!
      const hasFailed = activity_metadata.some(({ success }) => success === false)
      return activity_metadata
        .filter(({ chain_id, success }) => chain_id === chainIdOf(on) && success === null)
        .flatMap(({ svc_operation_nonce: nonce }): Open[] =>
          nonce
            ? [{ nonce: nonce as Hex, isDoomed: hasFailed && isContingent(plan, nonce as Hex) }]
            : [],
        )
    })
}

function isContingent({ details }: PlanBody, nonce: Hex): boolean {
  const own = details.svc_operation_actions.find(({ operation }) => operation.nonce === nonce)
  return own!.action.execution_type === 'CONTINGENT'
}

/** Where no operation can run any more, nothing is reserved: all that is there can be spent, whatever else is under way. */
export async function fundsAreFree(life: Life, sight: Sight, isEnd: boolean): Promise<void> {
  const { user, chain } = life
  const isUsed = async (on: Place, nonce: Hex): Promise<boolean> => {
    const args = [user.wallet, nonce] as const
    const address = svcAddresses.nonceManager
    const call = { address, abi: nonceAbi, functionName: 'submissionTokenOf', args } as const
    return BigInt(await chain.client(on).readContract(call)) > 0n
  }
  for (const on of places) {
    const amount = sight.on[on].usdc
    const open = openOn(life, sight, on)
    // Where nothing was begun there is nothing to let go; plans of lives find out what is wrong there.
    if (amount === 0n || (open.length === 0 && !isEnd)) continue
    const ended = await Promise.all(
      open.map(async ({ nonce, isDoomed }) => isDoomed || (await isUsed(on, nonce))),
    )
    if (ended.includes(false)) continue
    const { status, body } = await user.plan('transfer', bodyOf({ kind: 'transfer', on, amount }))
    expect([on, amount, status, body.message], 'what is free').toEqual([on, amount, 201, undefined])
  }
}
