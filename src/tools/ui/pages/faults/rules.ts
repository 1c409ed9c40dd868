import type { components } from '../../../../clients/control/controlApi.js'
import { answered } from '../../api/refusal.js'
import { askControl } from '../../api/session.js'

/** An effect as it is listed. */
export type EffectEntry = components['schemas']['Effect']

/** Adds a fault rule. What was typed goes as it is: the simulator says what is wrong with it. */
export async function addRule(rule: unknown): Promise<components['schemas']['Fault']> {
  const request = new Request('/_sim/faults', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  })
  const response = await askControl(request)
  const body: unknown = await response.json()
  return answered<components['schemas']['Fault']>(
    Promise.resolve(
      response.ok
        ? { data: body as components['schemas']['Fault'], response }
        : { error: body, response },
    ),
  )
}
