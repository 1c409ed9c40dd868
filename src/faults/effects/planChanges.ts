import type { Address, Hex } from 'viem'
import { encodeAbiParameters, keccak256, toHex } from 'viem/utils'
import type { Node } from '../../chain/rpc/node.js'
import { svcAddresses } from '../../generated/svc.js'
import type { FaultActor } from '../../service/context/changes.js'
import { note } from '../../service/context/requestContext.js'
import { isoSeconds } from '../../time/clock.js'
import type { FaultTools, RuleHandle } from '../rules/effect.js'

export function culprit({ id, isCarried }: RuleHandle, effect: string): FaultActor {
  return { by: 'fault', rule: id, effect, ...(isCarried && { carried: true as const }) }
}

/** Makes a plan expire now, and records that it was this rule. False, and nothing is done, if there is no such plan, or it has already expired. */
export async function expirePlan(
  { store, clock, ledger, rule }: FaultTools & { rule: RuleHandle },
  { accountId, planId, effect }: { accountId: string; planId: string; effect: string },
): Promise<boolean> {
  const plan = await store.plan(accountId, planId)
  const now = clock.now()
  if (!plan || plan.expiresAtMs <= now) return false
  await store.savePlan({ ...plan, expiresAtMs: now })
  const [before, after] = [isoSeconds(plan.expiresAtMs), isoSeconds(now)]
  const { by: _, ...who } = culprit(rule, effect)
  ledger.add({ by: 'fault', ...who, plan_id: planId }, [{ of: 'expiry', before, after }])
  note({ type: 'expiry', plan_id: planId, at: after, ...who })
  return true
}

/**
 * Writes what `cancel` of the nonce manager would: the wallet cannot call it without a signature of its own.
 *
 * An operation of this wallet that is mined between the two requests would lose its bit, but it does not run again: the service counts the
 * nonces that its plans have consumed.
 */
export async function useUpNonce({ rpc }: Node, wallet: Address, nonce: Hex): Promise<void> {
  // used[wallet][nonce >> 8], the contract's first storage variable; the last byte is the number of the bit.
  const outer = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [wallet, 0n]),
  )
  const prefix = toHex(BigInt(nonce) >> 8n, { size: 32 })
  const slot = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [prefix, outer]),
  )
  const place = [svcAddresses.nonceManager, slot] as const
  const word = BigInt(await rpc.request<Hex>('eth_getStorageAt', [...place, 'latest']))
  const used = word | (1n << (BigInt(nonce) & 0xffn))
  await rpc.request('anvil_setStorageAt', [...place, toHex(used, { size: 32 })])
}
