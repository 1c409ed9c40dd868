import type { Effect } from './effect.js'
import { dropped } from './execute/dropped.js'
import { duplicate } from './execute/duplicate.js'
import { rejectSignature } from './execute/rejectSignature.js'
import { responseLost } from './execute/responseLost.js'
import { revert } from './execute/revert.js'
import { stuck } from './execute/stuck.js'

/** All effects, seam by seam. */
export const effects: readonly Effect[] = [
  rejectSignature,
  revert,
  stuck,
  dropped,
  responseLost,
  duplicate,
]
