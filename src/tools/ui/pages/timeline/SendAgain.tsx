import { useContext } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import { OtherWorld } from '../../parts/Linked.js'
import { attempt } from '../../shell/notices.js'
import { fact } from './elements.js'

/** Delivers the event once more: who takes events must bear that. */
export function SendAgain({ moment }: { moment: components['schemas']['Moment'] }) {
  const account_id = fact(moment, 'account_id')
  const { cursor } = moment.details
  const isElsewhere = useContext(OtherWorld) !== undefined
  if (isReadOnly.value || isElsewhere || account_id === undefined || typeof cursor !== 'number')
    return null
  return (
    <button
      type="button"
      onClick={() =>
        attempt(`The next read of ${account_id}’s events returns this event again`, () =>
          answered(controlApi.POST('/_sim/events/again', { body: { account_id, cursor } })),
        )
      }
    >
      Send this event again
    </button>
  )
}
