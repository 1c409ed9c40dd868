import type { Refused } from '../api/session.js'
import { href } from '../shell/route.js'
import { Linked } from './Linked.js'

/** What a server said instead of doing what it was asked, with the way to find out why. */
export function RefusalBox({
  refusal,
  isShort,
  of,
}: {
  refusal: Refused
  isShort?: boolean
  /** What the refusal is about: its timeline says more than that of the request. */
  of?: string
}) {
  const { status, code, message, hint, faults, requestId } = refusal
  const id = of ?? requestId
  return (
    <div class="callout marked bad" role={isShort ? undefined : 'alert'}>
      <p>
        <span class="pill bad">
          {status} {code}
        </span>{' '}
        {!isShort && message} {id !== undefined && <a href={href(['timeline', id])}>Why?</a>}
      </p>
      {!isShort && hint !== undefined && (
        <p class="small">
          <Linked text={hint} />
        </p>
      )}
      {faults !== undefined && (
        <p>
          Fault <code>{faults}</code> fired.
        </p>
      )}
    </div>
  )
}
