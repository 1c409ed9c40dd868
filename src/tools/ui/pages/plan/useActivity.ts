import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import type { AccountView } from '../../api/accounts.js'
import { coalesced } from '../../api/coalesced.js'
import { onMessage } from '../../api/live.js'
import { Refused } from '../../api/refusal.js'
import { activityOf } from './requests.js'

/** An activity as it was loaded last, and why the last load failed. */
export interface FollowedActivity {
  activity?: Schemas['Activity']
  refusal?: Refused
}

/** An activity, anew at each of its events. */
export function useActivity(view: AccountView, id: string | undefined): FollowedActivity {
  const [state, setState] = useState<FollowedActivity>({})
  useEffect(() => {
    setState({})
    if (id === undefined) return
    let isHere = true
    const load = coalesced(async () => {
      try {
        const activity = await activityOf(view, id)
        if (isHere) setState({ activity })
      } catch (error) {
        if (isHere && error instanceof Refused)
          setState((before) => ({ ...before, refusal: error }))
      }
    })
    load()
    const stop = onMessage(({ type, data }) => {
      const isOwn = type === 'event' && data.data.activity_id === id
      if (isOwn || type === 'dropped') load()
    })
    return () => {
      isHere = false
      stop()
    }
  }, [view.account.account_id, id])
  return state
}
