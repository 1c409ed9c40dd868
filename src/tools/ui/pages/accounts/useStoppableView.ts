import { useRef, useState } from 'preact/hooks'
import { changesHoldings, lookAt } from '../../api/accounts.js'
import type { AccountView } from '../../api/types.js'
import { type Loaded, useLoaded, useSteady } from '../../api/useLoaded.js'

/** A view of an account that a person does not have to wait for. */
export interface StoppableView extends Loaded<AccountView> {
  /** `stopped`: the view is the last one that was read, if any, and no longer follows the account. */
  phase: 'reading' | 'read' | 'stopped'
  /** Aborts the read that is under way, and those that would follow. */
  stop(): void
  /** Reads from now on as before. */
  again(): void
}

/** Reads an account, and again whenever its holdings may have changed. A network that does not respond delays each read by 2 s. */
export function useStoppableView(id: string): StoppableView {
  const [phase, setPhase] = useState<StoppableView['phase']>('reading')
  const [round, setRound] = useState(1)
  const stopping = useRef(new AbortController())
  const { data, refusal } = useLoaded(
    `${round}`,
    async () => {
      const { signal } = stopping.current
      if (!signal.aborted) setPhase('reading')
      try {
        return await lookAt(id, signal)
      } finally {
        if (!signal.aborted) setPhase('read')
      }
    },
    (message) => !stopping.current.signal.aborted && changesHoldings(id, message),
  )
  const known = useSteady(data)
  return {
    phase,
    ...(known && { data: known }),
    ...(refusal && { refusal }),
    stop() {
      stopping.current.abort()
      setPhase('stopped')
    },
    again() {
      stopping.current = new AbortController()
      setRound(round + 1)
    },
  }
}
