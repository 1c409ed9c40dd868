import type { Hex } from 'viem'
import { actors } from '../../deployments/actors.js'
import type { MinedTransaction } from './follow.js'

/** Stands behind the calldata of what is sent for somebody else; contracts do not look there. "svc-sim" in ASCII. */
export const ownMark: Hex = '0x7376632d73696d'

const ownAccounts: readonly string[] = Object.values(actors)

/**
 * Whether the simulator has sent this transaction by itself, to set up its world. It tells by the transaction alone, so it is
 * true after a restart as well, and for what is mined before its sender has heard of it.
 */
export function isOwn({ from, input }: MinedTransaction): boolean {
  return ownAccounts.includes(from.toLowerCase()) || input.endsWith(ownMark.slice(2))
}
