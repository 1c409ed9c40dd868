import { atPlans, defineAnswer, errorOf, executePath, messageOf, refused } from '../defineAnswer.js'

/** How plans say that an asset is unknown (`tokenOn`). */
const isAboutAsset = /is (not a known asset|not on [a-z]+);/

/** Public sources have the planner refuse an unknown asset, so its error stands behind `plan_failed`. */
export const unknownAssetFails = defineAnswer({
  name: 'unknown_asset_fails',
  summary:
    'A plan with an asset that the network does not have returns 400 `plan_failed` instead of `invalid_params`.',
  at: (route) => atPlans(route) && route.path !== executePath,
  alter: (answer) =>
    errorOf(answer) === 'invalid_params' && isAboutAsset.test(messageOf(answer))
      ? refused(400, 'plan_failed', messageOf(answer))
      : answer,
})
