import { isSpent } from '../../../faults/rules/faultRules.js'
import { faults, overview } from '../api/live.js'
import { answered, controlApi } from '../api/session.js'
import type { Fault } from '../api/types.js'
import { href } from '../shell/route.js'
import { Act } from './controls.js'
import { faultWords } from './faultWords.js'
import { Linked } from './Linked.js'
import { Count, List, Panel } from './panels.js'
import { counted } from './text.js'

export function FaultList() {
  return (
    <Panel title="Faults" aside={overview.value && <Count of={faults.value} />}>
      <List empty={overview.value ? 'No fault rules.' : 'Loading…'}>
        {faults.value.map((fault) => (
          <FaultItem key={fault.id} {...fault} />
        ))}
      </List>
      {faults.value.length > 1 && (
        <Act
          class="steers"
          done="Removed all faults"
          work={() => answered(controlApi.DELETE('/_sim/faults'))}
        >
          Remove all
        </Act>
      )}
    </Panel>
  )
}

function FaultItem(fault: Fault) {
  const { id, seen, hits, over } = fault
  const isOver = isSpent(fault)
  return (
    <li class={isOver ? 'fault spent spread' : 'fault spread'}>
      <span>
        <strong>
          <Linked text={faultWords(fault)} />
        </strong>{' '}
        <a href={href(['timeline', id])} title="What it hit">
          <code>{id}</code>
        </a>
      </span>
      <span class={hits > 0 && !isOver ? 'pill warn' : 'pill'}>
        {isOver && (over ? 'over: ' : 'spent: ')}
        {counted(hits, 'hit')} in {counted(seen, 'call')}
      </span>
      <Act
        class="steers"
        aria-label={`Remove ${id}`}
        done={`Removed fault ${id}`}
        work={() => answered(controlApi.DELETE('/_sim/faults/{id}', { params: { path: { id } } }))}
      >
        Remove
      </Act>
    </li>
  )
}
