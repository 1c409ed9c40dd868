import { type ControlClient, createControl } from '../../../clients/control/controlClient.js'
import { urlVariable, variable } from '../../../clients/remote/variables.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'

export function baseOf(values: Pick<OptionValues, 'baseUrl'>): string {
  return values.baseUrl ?? urlVariable('SVC_BASE_URL') ?? `http://127.0.0.1:${defaultPort}`
}

/** The control token of that simulator, if it has one. An empty variable counts as not set. */
export function controlTokenOf({
  controlToken,
}: Pick<OptionValues, 'controlToken'>): string | undefined {
  return controlToken ?? variable('SVC_CONTROL_TOKEN')
}

export function controlOf(values: Pick<OptionValues, 'baseUrl' | 'controlToken'>): ControlClient {
  return createControl(`${baseOf(values).replace(/\/+$/, '')}/_sim`, controlTokenOf(values))
}
