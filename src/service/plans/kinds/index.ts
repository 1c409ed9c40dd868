import type { PlanKind } from '../model/kind.js'
import { addBacking } from './addBacking.js'
import { borrow } from './borrow.js'
import { claimRewards } from './claimRewards.js'
import { earn } from './earn.js'
import { loopLong } from './loopLong.js'
import { migrate } from './migrate.js'
import { reinvestRewards } from './reinvestRewards.js'
import { repay } from './repay.js'
import { swap } from './swap.js'
import { swapAndSupply } from './swapAndSupply.js'
import { transfer } from './transfer.js'
import { unloopLong } from './unloopLong.js'
import { withdraw } from './withdraw.js'
import { withdrawBacking } from './withdrawBacking.js'

/** Every plan kind, in the order in which the interface lists them. */
export const planKinds: readonly PlanKind[] = [
  earn,
  withdraw,
  transfer,
  swap,
  swapAndSupply,
  borrow,
  repay,
  migrate,
  reinvestRewards,
  claimRewards,
  loopLong,
  unloopLong,
  addBacking,
  withdrawBacking,
]
