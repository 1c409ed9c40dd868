import type { Effect } from '../rules/effect.js'
import { answerEffects } from './answer/index.js'
import { delay } from './bridge/delay.js'
import { partial } from './bridge/partial.js'
import { bridgeRefund } from './bridge/refund.js'
import { bridgeStuck } from './bridge/stuck.js'
import { down } from './chain/down.js'
import { halt } from './chain/halt.js'
import { reorg } from './chain/reorg.js'
import { slow } from './chain/slow.js'
import { eventDelay } from './events/delay.js'
import { drop } from './events/drop.js'
import { eventDuplicate } from './events/duplicate.js'
import { reorder } from './events/reorder.js'
import { dropped } from './execute/dropped.js'
import { duplicate } from './execute/duplicate.js'
import { rejectSignature } from './execute/rejectSignature.js'
import { responseLost } from './execute/responseLost.js'
import { revert } from './execute/revert.js'
import { stuck } from './execute/stuck.js'
import { folioLatency } from './folio/latency.js'
import { serveStale } from './folio/serveStale.js'
import { folioTimeout } from './folio/timeout.js'
import { expire } from './plan/expire.js'
import { fail } from './plan/fail.js'
import { noWallet } from './plan/noWallet.js'
import { stale } from './plan/stale.js'
import { drain } from './quote/drain.js'
import { expired } from './quote/expired.js'
import { httpError } from './quote/httpError.js'
import { malformed } from './quote/malformed.js'
import { slippage } from './quote/slippage.js'
import { quoteTimeout } from './quote/timeout.js'
import { unavailable } from './quote/unavailable.js'
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
  folioLatency,
  folioTimeout,
  serveStale,
  unavailable,
  httpError,
  quoteTimeout,
  malformed,
  expired,
  slippage,
  drain,
  stale,
  expire,
  fail,
  noWallet,
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
  eventDelay,
  eventDuplicate,
  drop,
  reorder,
  ...answerEffects,
]
