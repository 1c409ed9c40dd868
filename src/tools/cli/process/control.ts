import { type ControlClient, createControl } from '../../../clients/control/controlClient.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'

/** The running simulator that a command speaks to. */
export function baseOf(values: Pick<OptionValues, 'baseUrl'>): string {
  return values.baseUrl ?? process.env.SVC_BASE_URL ?? `http://127.0.0.1:${defaultPort}`
}

/** The control API of that simulator. */
export function controlOf(values: Pick<OptionValues, 'baseUrl' | 'controlToken'>): ControlClient {
  return createControl(`${baseOf(values).replace(/\/+$/, '')}/_sim`, values.controlToken)
}
