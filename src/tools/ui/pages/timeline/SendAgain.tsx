import { useContext } from 'preact/hooks'
import { answered, controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import type { Moment } from '../../api/types.js'
import { Act } from '../../parts/controls.js'
import { OtherWorld } from '../../parts/Linked.js'
import { fact } from './elements.js'

/** Delivers the event once more: who takes events must bear that. */
export function SendAgain({ moment }: { moment: Moment }) {
  const account_id = fact(moment, 'account_id')
  const { cursor } = moment.details
  const isElsewhere = useContext(OtherWorld) !== undefined
  if (isReadOnly.value || isElsewhere || account_id === undefined || typeof cursor !== 'number')
    return null
  return (
    <Act
      done={`The next read of ${account_id}’s events returns this event again`}
      work={() => answered(controlApi.POST('/_sim/events/again', { body: { account_id, cursor } }))}
    >
      Send this event again
    </Act>
  )
}
