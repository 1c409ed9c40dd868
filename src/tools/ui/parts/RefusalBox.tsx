import type { SvcError } from '../../../clients/client/svcError.js'
import { useWhy } from '../api/useWhy.js'
import { href } from '../shell/route.js'
import { Linked } from './Linked.js'
import { VerdictText } from './WhyVerdict.js'

/** A refusal by a server: why, and what to do next. */
export function RefusalBox({
  refusal: { status, code, message, hint, requestId },
  isShort,
  of = requestId,
}: {
  refusal: SvcError
  isShort?: boolean
  /** What the refusal is about: its timeline says more than that of the request. */
  of?: string | undefined
}) {
  // Only for requests in the journal; for others the server itself gives the hint.
  const { data: why } = useWhy(requestId)
  return (
    <div class="callout marked bad" role={isShort ? undefined : 'alert'}>
      <p>
        <span class="pill bad">
          {status} {code}
        </span>{' '}
        {!isShort && !why && message}{' '}
        {of !== undefined && <a href={href(['timeline', of])}>Why?</a>}
      </p>
      {!isShort && why && <VerdictText why={why} />}
      {!isShort && !why && hint !== undefined && (
        <p class="small">
          <Linked text={hint} />
        </p>
      )}
    </div>
  )
}
