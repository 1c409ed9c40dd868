import { delay } from './bridge/delay.js'
import { partial } from './bridge/partial.js'
import { bridgeRefund } from './bridge/refund.js'
import { bridgeStuck } from './bridge/stuck.js'
import { down } from './chain/down.js'
import { halt } from './chain/halt.js'
import { reorg } from './chain/reorg.js'
import { slow } from './chain/slow.js'
import type { Effect } from './effect.js'
import { dropped } from './execute/dropped.js'
import { duplicate } from './execute/duplicate.js'
import { rejectSignature } from './execute/rejectSignature.js'
import { responseLost } from './execute/responseLost.js'
import { revert } from './execute/revert.js'
import { stuck } from './execute/stuck.js'
import { hang } from './request/hang.js'
import { latency } from './request/latency.js'
import { rateLimit } from './request/rateLimit.js'
import { resetAfter } from './request/resetAfter.js'
import { resetBefore } from './request/resetBefore.js'
import { respond } from './request/respond.js'
import { truncate } from './request/truncate.js'

/** All effects, seam by seam. */
export const effects: readonly Effect[] = [
  latency,
  hang,
  respond,
  resetBefore,
  resetAfter,
  truncate,
  rateLimit,
  rejectSignature,
  revert,
  stuck,
  dropped,
  responseLost,
  duplicate,
  delay,
  bridgeStuck,
  bridgeRefund,
  partial,
  down,
  slow,
  reorg,
  halt,
]
