import type { Effect } from '../../../rules/effect.js'
import { accountFirst } from './accountFirst.js'
import { activityIdText } from './activityIdText.js'
import { activityNotFound } from './activityNotFound.js'
import { consumedPlanStale } from './consumedPlanStale.js'
import { executeAccepted } from './executeAccepted.js'
import { failureUsesPlanUp } from './failureUsesPlanUp.js'
import { fillsListedLate } from './fillsListedLate.js'
import { maxRefused } from './maxRefused.js'
import { missingMarketInvalid } from './missingMarketInvalid.js'
import { sameMarketInvalid } from './sameMarketInvalid.js'
import { signatureFirst } from './signatureFirst.js'
import { strictRequests } from './strictRequests.js'
import { unknownAccountEffect } from './unknownAccount.js'
import { unknownAssetFails } from './unknownAssetFails.js'
import { zeroAmountFails } from './zeroAmountFails.js'
import { zeroSignerRefused } from './zeroSignerRefused.js'

/** The other way for each row of docs/fidelity.md that is our choice and could as well have been made otherwise. */
export const choiceEffects: readonly Effect[] = [
  unknownAccountEffect,
  accountFirst,
  strictRequests,
  zeroSignerRefused,
  maxRefused,
  zeroAmountFails,
  unknownAssetFails,
  sameMarketInvalid,
  missingMarketInvalid,
  executeAccepted,
  consumedPlanStale,
  failureUsesPlanUp,
  signatureFirst,
  activityIdText,
  activityNotFound,
  fillsListedLate,
]
