import { useState } from 'preact/hooks'
import { isReadOnly } from '../../api/live.js'
import type { WorldView } from '../../api/types.js'
import { byFailure, useWorlds, worlds } from '../../api/worlds.js'
import { Count, Panel, Scroller, Table } from '../../parts/panels.js'
import { shownSpan, shownTime } from '../../parts/text.js'
import { href, hrefIn } from '../../shell/route.js'
import { Failed, worldName } from '../../shell/world.js'
import { Comparison } from './Comparison.js'

/** The leased worlds, those in which something failed first; or two of them side by side. */
export default function Worlds({ rest: [one, other] }: { rest: readonly string[] }) {
  useWorlds()
  return (
    <div class="stack">
      <WorldList chosen={[one, other].filter((id) => id !== undefined)} />
      {one !== undefined && other !== undefined && (
        <Comparison key={`${one} ${other}`} of={namedApart([one, other])} />
      )}
    </div>
  )
}

/** Two worlds by their names, or by their ids if both have one name. */
function namedApart(ids: readonly string[]) {
  const names = ids.map((id) =>
    worldName(worlds.value.find((each) => each.id === id) ?? { id, name: null }),
  )
  return ids.map((id, side) => ({ id, name: names[0] === names[1] ? id : names[side]! }))
}

function WorldList({ chosen }: { chosen: readonly string[] }) {
  const [picked, setPicked] = useState(chosen)
  const pick = (id: string, isOn: boolean): void =>
    setPicked(isOn ? [...picked, id].slice(-2) : picked.filter((each) => each !== id))
  return (
    <Panel title="Leased worlds" aside={<Count of={worlds.value} />}>
      {worlds.value.length === 0 ? (
        <p class="empty">
          {isReadOnly.value
            ? 'This run leased no world.'
            : 'None. The vitest fixtures, leaseWorld() and POST /_sim/worlds lease worlds, each a simulator of its own.'}
        </p>
      ) : (
        <>
          <Scroller kind="scroller world-table" label="Worlds, failures first">
            <Table
              heads={['World', 'State', 'Failed', isReadOnly.value ? 'Leased' : 'Age', 'Compare']}
              rows={byFailure(worlds.value).map((world) => ({
                key: world.id,
                cells: [
                  <a href={hrefIn(world.id, ['overview'])}>{worldName(world)}</a>,
                  <State {...world} />,
                  <Failed {...world} />,
                  isReadOnly.value
                    ? shownTime(world.leased_at)
                    : shownSpan((Date.now() - Date.parse(world.leased_at)) / 1000),
                  <input
                    type="checkbox"
                    aria-label={`Compare ${worldName(world)}`}
                    checked={picked.includes(world.id)}
                    onChange={({ currentTarget }) => pick(world.id, currentTarget.checked)}
                  />,
                ],
              }))}
            />
          </Scroller>
          {picked.length === 2 ? (
            <a class="button primary" href={href(['worlds', ...picked])}>
              Compare the two
            </a>
          ) : (
            <p class="small">Choose two worlds to see the first request at which they differ.</p>
          )}
        </>
      )}
    </Panel>
  )
}

function State({ state, lost }: WorldView) {
  if (lost !== null) return <span class="pill bad">{state}</span>
  if (isReadOnly.value) return <span class="pill frozen">ended</span>
  return <span class="pill good">{state}</span>
}
