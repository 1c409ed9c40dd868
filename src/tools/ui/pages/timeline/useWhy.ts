import { useEffect, useState } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { coalesced } from '../../api/coalesced.js'
import { onMessage } from '../../api/live.js'
import { answered, Refused } from '../../api/refusal.js'
import { controlApi, controlApiOf } from '../../api/session.js'
import type { StreamMessage } from '../../api/stream.js'

type Why = components['schemas']['Why']

/** The timeline of an id, again whenever something happens to it; in another world as it is now. */
export function useWhy(
  id: string | undefined,
  otherWorld?: string,
): { why?: Why; refusal?: Refused } {
  const [state, setState] = useState<{ why?: Why; refusal?: Refused }>({})
  useEffect(() => {
    setState({})
    if (id === undefined) return
    let known: Why | undefined
    const api = otherWorld === undefined ? controlApi : controlApiOf(otherWorld)
    let isHere = true
    const load = coalesced(async () => {
      try {
        known = await answered(api.GET('/_sim/why/{id}', { params: { path: { id } } }))
        if (isHere) setState({ why: known })
      } catch (refusal) {
        if (isHere && refusal instanceof Refused) setState({ refusal })
      }
    })
    load()
    const stop = onMessage((message) => {
      if (otherWorld === undefined && concerns(message, id, known)) load()
    })
    return () => {
      isHere = false
      stop()
    }
  }, [id, otherWorld])
  return state
}

/** Whether what has happened may belong to the timeline: it names the id, or what belongs together with it. */
function concerns({ type, data }: StreamMessage, id: string, known: Why | undefined): boolean {
  if (type === 'snapshot') return data.change === 'restored' || data.change === 'reset'
  if (type === 'dropped') return true
  const names = [id, ...Object.values(known?.related ?? {}).filter((name) => name !== null)]
  const requests = new Set(known?.timeline.map(({ request_id }) => request_id))
  if (type === 'fault') return data.request_id !== null && requests.has(data.request_id)
  if (type !== 'exchange' && type !== 'event') return false
  const text = JSON.stringify(data)
  return names.some((name) => text.includes(name))
}
