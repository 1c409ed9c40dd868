import { useEffect, useRef, useState } from 'preact/hooks'
import { SvcError } from '../../../clients/client/svcError.js'
import { coalesced, connection, onMessage } from './live.js'
import type { StreamMessage } from './types.js'

export interface Loaded<Data> {
  data?: Data
  refusal?: SvcError
}

/**
 * Loads a part of a page, again at each message that concerns it, and when the simulator answers again after a break. While it does
 * not answer, what was loaded last stays.
 *
 * @param of another value forgets what was loaded, and loads; undefined loads nothing.
 */
export function useLoaded<Data>(
  of: string | undefined,
  load: () => Promise<Data>,
  concerns: (message: StreamMessage, known: Data | undefined) => boolean = () => false,
): Loaded<Data> {
  const [state, setState] = useState<Loaded<Data>>({})
  useEffect(() => {
    setState({})
    if (of === undefined) return
    let isHere = true
    let known: Data | undefined
    const run = coalesced(async () => {
      try {
        known = await load()
        if (isHere) setState({ data: known })
      } catch (refusal) {
        if (isHere && refusal instanceof SvcError) setState((before) => ({ ...before, refusal }))
      }
    })
    run()
    let wasLive = connection.peek() === 'live'
    const stops = [
      onMessage((message) => {
        if (concerns(message, known)) run()
      }),
      connection.subscribe((now) => {
        if (now === 'live' && !wasLive) run()
        wasLive = now === 'live'
      }),
    ]
    return () => {
      isHere = false
      for (const stop of stops) stop()
    }
  }, [of])
  return state
}

/** The last data while the next loads, so that a list does not vanish at each key of a search. */
export function useSteady<Data>(data: Data | undefined): Data | undefined {
  const last = useRef<Data | undefined>(undefined)
  if (data !== undefined) last.current = data
  return last.current
}
