import { answered, controlApiOf } from './session.js'
import type { StreamMessage, WhyView } from './types.js'
import { type Loaded, useLoaded } from './useLoaded.js'

/** The timeline of an id, kept up to date; that of another world is loaded once. */
export function useWhy(id: string | undefined, otherWorld?: string): Loaded<WhyView> {
  const api = controlApiOf(otherWorld)
  return useLoaded(
    id,
    () => answered(api.GET('/_sim/why/{id}', { params: { path: { id: id ?? '' } } })),
    (message, known) => otherWorld === undefined && concerns(message, id ?? '', known),
  )
}

/** Whether a message may belong to the timeline: it names the id, or a related one. */
function concerns({ type, data }: StreamMessage, id: string, known: WhyView | undefined): boolean {
  if (type === 'snapshot') return data.change === 'restored' || data.change === 'reset'
  if (type === 'dropped') return true
  const names = [id, ...Object.values(known?.related ?? {}).filter((name) => name !== null)]
  const requests = new Set(known?.timeline.map(({ request_id }) => request_id))
  // A fault of a chain, such as a reorganisation, has no request, and may meet what is shown.
  if (type === 'fault')
    return data.request_id === null ? data.change === 'fired' : requests.has(data.request_id)
  if (type !== 'exchange' && type !== 'event') return false
  const text = JSON.stringify(data)
  return names.some((name) => text.includes(name))
}
