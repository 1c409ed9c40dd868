import type { WhyView } from '../../api/types.js'
import { Linked } from '../../parts/Linked.js'
import { VerdictText } from '../../parts/WhyVerdict.js'
import { findingsOf } from './verdict.js'

/** What became of it and what to do next, then each moment that went wrong. */
export function Findings({ why, onOpen }: { why: WhyView; onOpen(index: number): void }) {
  return (
    <section class="panel findings stack tight" aria-label={`What became of ${why.id}`}>
      <VerdictText why={why} />
      <ul class="list">
        {findingsOf(why).map(({ tone, title, text, index }) => (
          <li key={index} class={`words ${tone}`}>
            <strong>{title}</strong>
            {text !== undefined && (
              <span>
                <Linked text={text} />
              </span>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={`Details of: ${title}`}
              onClick={() => onOpen(index)}
            >
              Details
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
