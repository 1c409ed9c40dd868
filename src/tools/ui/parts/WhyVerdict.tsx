import { useContext } from 'preact/hooks'
import type { WhyView } from '../api/types.js'
import { useWhy } from '../api/useWhy.js'
import { Linked, OtherWorld } from './Linked.js'

/** What became of it and what to do next, in the same words on every page. */
export function VerdictText({ why: { now, verdict } }: { why: WhyView }) {
  return (
    <div class="verdict">
      <p>
        <Linked text={now} />
      </p>
      {verdict.next !== null && (
        <p>
          <strong>Next: </strong>
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
