/** `svc-sim/client`: a typed client of the service, for Node and browsers. */

export type { ExecutedPlan } from './carryOut.js'
export {
  createSvcClient,
  type SignAndExecuteOptions,
  type SvcClient,
  type SvcClientOptions,
} from './client.js'
export type { FollowedEvent, FollowOptions, WaitOptions } from './follow.js'
export type { Patience } from './sending.js'
export { unwrap } from './sending.js'
export type { components, operations, paths } from './serviceApi.js'
export { newSigner, type Signer, signPlan } from './signer.js'
export { SvcError } from './svcError.js'
export type { SvcTypedData } from './typedData.js'
export type { HexText, PlanIntent, PlanName, Schemas, ServiceErrorCode } from './types.js'
