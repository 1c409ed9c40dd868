import type { components } from '../../../clients/control/controlApi.js'
import { faults, overview } from '../api/live.js'
import { answered } from '../api/refusal.js'
import { controlApi } from '../api/session.js'
import { attempt } from '../shell/notices.js'
import { href } from '../shell/route.js'
import { faultWords } from './faultWords.js'
import { Linked } from './Linked.js'
import { counted } from './text.js'

type Fault = components['schemas']['Fault']

/** The fault rules that are armed, with what they have done. */
export function FaultList() {
  return (
    <section class="panel" aria-labelledby="faults-title">
      <header>
        <h2 id="faults-title">Faults</h2>
        {overview.value && <span class="count">{faults.value.length}</span>}
      </header>
      {faults.value.length === 0 ? (
        <p class="empty">{overview.value ? 'No fault rules.' : 'Loading…'}</p>
      ) : (
        <ul class="list">
          {faults.value.map((fault) => (
            <FaultItem key={fault.id} {...fault} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** A rule, and the button that removes it. */
function FaultItem(fault: Fault) {
  const { id, seen, hits } = fault
  return (
    <li class="fault">
      <span>
        <strong>
          <Linked text={faultWords(fault)} />
        </strong>{' '}
        <a href={href(['faults', fault.on])}>
          <code>{id}</code>
        </a>
      </span>
      <span class={hits > 0 ? 'pill warn' : 'pill'}>
        {counted(hits, 'hit')} in {counted(seen, 'call')}
      </span>
      <button
        type="button"
        class="steers"
        aria-label={`Remove ${id}`}
        onClick={() =>
          attempt(`Removed fault ${id}`, () =>
            answered(controlApi.DELETE('/_sim/faults/{id}', { params: { path: { id } } })),
          )
        }
      >
        Remove
      </button>
    </li>
  )
}
