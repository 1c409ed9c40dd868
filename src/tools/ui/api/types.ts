import type { components } from '../../../clients/control/controlApi.js'

/** The bodies of the control API, by the names of its OpenAPI document. */
type Schemas = components['schemas']

export type AccountView = Schemas['AccountView']
export type Bridge = Overview['bridges'][number]
export type Clock = Schemas['Clock']
export type CoverageCell = Schemas['Cell']
export type EffectEntry = Schemas['Effect']
export type Exchange = Schemas['Exchange']
export type Fault = Schemas['Fault']
export type JournalFork = Schemas['JournalFork']
export type ListedAccount = Schemas['AccountOfAny']
export type ListedScenario = Schemas['ScenarioEntry']
export type Moment = Schemas['Moment']
export type NetworkState = Overview['networks'][number]
export type Overview = Schemas['Overview']
export type SavedJournal = Schemas['SavedJournal']
export type ScenarioRun = Schemas['ScenarioRun']
export type TraceInfo = Schemas['TraceInfo']
export type InspectedTransaction = Schemas['Transaction']
export type Why = Schemas['Why']
export type World = Schemas['World']
