import { useContext } from 'preact/hooks'
import { isReadOnly } from '../api/live.js'
import type { WhyView } from '../api/types.js'
import { useWhy } from '../api/useWhy.js'
import { Linked, OtherWorld } from './Linked.js'

/** What became of it and what to do next, in the same words on every page. A status alone stands beside it as a pill. */
export function VerdictText({ why: { now, verdict } }: { why: WhyView }) {
  return (
    <div class="verdict">
      {now !== verdict.outcome && (
        <p>
          <Linked text={now} />
        </p>
      )}
      {verdict.next !== null && (
        <p>
          <strong>{isReadOnly.value ? 'What would have helped: ' : 'Next: '}</strong>
          <Linked text={verdict.next} />
        </p>
      )}
    </div>
  )
}

/** The verdict on an id, again whenever something happens to it; nothing for what is not known. */
export function WhyVerdict({ of }: { of: string }) {
  const { data } = useWhy(of, useContext(OtherWorld))
  return data ? <VerdictText why={data} /> : null
}
