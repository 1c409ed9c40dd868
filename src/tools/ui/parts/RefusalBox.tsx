import type { Refused } from '../api/refusal.js'
import { href } from '../shell/route.js'

/** What a server said instead of doing what it was asked, with the way to find out why. */
export function RefusalBox({ refusal, isShort }: { refusal: Refused; isShort?: boolean }) {
  const { status, code, message, hint, faults, requestId } = refusal
  return (
    <div class="refused-box" role={isShort ? undefined : 'alert'}>
      <p>
        <span class="pill bad">
          {status} {code}
        </span>{' '}
        {!isShort && message}{' '}
        {requestId !== undefined && <a href={href(['timeline', requestId])}>Why?</a>}
      </p>
      {!isShort && hint !== undefined && <p class="small">{hint}</p>}
      {faults !== undefined && (
        <p>
          The fault <code>{faults}</code> fired here.
        </p>
      )}
    </div>
  )
}
