import type { Effect } from '../../rules/effect.js'
import { absentOptionals } from './absentOptionals.js'
import { choiceEffects } from './choices/index.js'
import { moreNetworks } from './moreNetworks.js'
import { otherCasing } from './otherCasing.js'
import { otherIds } from './otherIds.js'
import { otherOrder } from './otherOrder.js'
import { otherTexts } from './otherTexts.js'
import { otherTimes } from './otherTimes.js'
import { pendingFirst } from './pendingFirst.js'
import { sparseCursors } from './sparseCursors.js'
import { unknownEvents } from './unknownEvents.js'
import { unknownFields } from './unknownFields.js'
import { unknownMessages } from './unknownMessages.js'
import { unknownValues } from './unknownValues.js'

/** Every effect of the seam `answer`: readings that the interface allows beside ours. */
export const answerEffects: readonly Effect[] = [
  unknownFields,
  unknownEvents,
  unknownMessages,
  unknownValues,
  otherOrder,
  otherTexts,
  otherTimes,
  otherIds,
  otherCasing,
  sparseCursors,
  moreNetworks,
  absentOptionals,
  pendingFirst,
  ...choiceEffects,
]
