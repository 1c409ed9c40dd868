import type { WhyView } from '../../api/types.js'
import { Linked } from '../../parts/Linked.js'
import { findingsOf } from './verdict.js'

/** What went wrong, in words, before anybody has to look for it. */
export function Findings({ why, onOpen }: { why: WhyView; onOpen(index: number): void }) {
  const findings = findingsOf(why)
  if (findings.length === 0) return null
  return (
    <section class="panel findings stack tight" aria-label={`What went wrong with ${why.id}`}>
      <h2>What went wrong</h2>
      <ul class="list">
        {findings.map(({ tone, title, text, hint, index }, place) => (
          <li key={place} class={`words ${tone}`}>
            <strong>{title}</strong>
            {text !== undefined && (
              <span>
                <Linked text={text} />
              </span>
            )}
            {hint !== undefined && (
              <span class="small">
                <Linked text={hint} />
              </span>
            )}
            {index !== undefined && (
              <button
                type="button"
                class="quiet"
                aria-label={`Details of: ${title}`}
                onClick={() => onOpen(index)}
              >
                Details
              </button>
            )}
          </li>
        ))}
      </ul>
      {why.verdict.next !== null && (
        <p class="words">
          <strong>Next: </strong>
          <Linked text={why.verdict.next} />
        </p>
      )}
    </section>
  )
}
