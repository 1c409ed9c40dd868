import type { Schemas as ServiceSchemas } from '../../../clients/client/types.js'
import type { components } from '../../../clients/control/controlApi.js'
import type { EntryData } from '../../../observe/stream/messages.js'

type Schemas = components['schemas']

export type AccountView = Schemas['AccountView']
export type Bridge = Overview['bridges'][number]
export type ClockView = Schemas['Clock']
export type CoverageCell = Schemas['Cell']
export type EffectEntry = Schemas['Effect']
export type ExchangeView = Schemas['Exchange']
export type Fault = Schemas['Fault']
export type ForkView = Schemas['JournalFork']
export type ListedAccount = Schemas['AccountOfAny']
export type ListedScenario = Schemas['ScenarioEntry']
export type ListedWorlds = Schemas['Worlds']
export type Moment = Schemas['Moment']
export type NetworkView = Overview['networks'][number]
export type Overview = Schemas['Overview']
export type SavedJournal = Schemas['SavedJournal']
export type ScenarioRun = Schemas['ScenarioRun']
export type TraceInfo = Schemas['TraceInfo']
export type TransactionView = Schemas['Transaction']
export type WhyView = Schemas['Why']
export type WorldView = Schemas['ListedWorld']
export type EndedView = Schemas['EndedWorld']
export type WorldFacts = Omit<EndedView, 'ended_at' | 'verdicts'>
export type BlocksView = Schemas['Blocks']

export interface StreamData extends EntryData<Schemas & Pick<ServiceSchemas, 'Event'>> {
  dropped: { count: number }
}

export type StreamMessage = {
  [Type in keyof StreamData]: { type: Type; data: StreamData[Type] }
}[keyof StreamData]
