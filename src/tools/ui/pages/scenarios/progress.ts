import type { components } from '../../../../clients/control/controlApi.js'
import type { StreamData } from '../../api/stream.js'

/** A scenario as it is listed. */
export type ListedScenario = components['schemas']['ScenarioEntry']

/** What the stream told last of a scenario. */
export type Progress = StreamData['scenario']
