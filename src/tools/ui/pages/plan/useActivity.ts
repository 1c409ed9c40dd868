import type { Schemas } from '../../../../clients/client/types.js'
import type { AccountView } from '../../api/accounts.js'
import { type Loaded, useLoaded } from '../../api/useLoaded.js'
import { activityOf } from './requests.js'

/** An activity, anew at each of its events. */
export function useActivity(
  view: AccountView,
  id: string | undefined,
): Loaded<Schemas['Activity']> {
  return useLoaded(
    id,
    () => activityOf(view, id ?? ''),
    ({ type, data }) => type === 'dropped' || (type === 'event' && data.data.activity_id === id),
  )
}
