import { useState } from 'preact/hooks'
import type { ForkView } from '../../api/types.js'
import { Choice } from '../../parts/controls.js'
import { Linked, OtherWorld } from '../../parts/Linked.js'
import { Panel, RequestsLeftOut, Scroller, Table, useBeginning } from '../../parts/panels.js'
import { counted } from '../../parts/text.js'
import { useWhy } from '../../parts/verdicts.js'
import { hrefIn } from '../../shell/route.js'
import { partingOf } from '../timeline/difference.js'
import { layoutOf } from '../timeline/layout.js'
import { LoadedTimeline } from '../timeline/Timeline.js'

type Step = ForkView['steps'][number]

/** The replay beside the original: answer by answer, then the two timelines of one id. */
export function ForkResult({ fork: { world, steps, twins, left_out } }: { fork: ForkView }) {
  const ids = Object.keys(twins).filter((id) => /^(acc|pln|act)_/.test(id))
  const [chosen, setChosen] = useState(ids.find((id) => id.startsWith('pln_')) ?? ids[0])
  const twin = chosen === undefined ? undefined : twins[chosen]
  // Begin at the first step that differs; show all when none does.
  const before = Math.max(0, steps.findIndex(isOtherwise))
  const which = 'that went the same way before the first difference'
  const { hasAll, button } = useBeginning(before, 'step', which)
  return (
    <>
      <Panel
        title={verdict(steps)}
        aside={
          <a class="button" href={hrefIn(world.id, ['overview'])}>
            Open {world.id}
          </a>
        }
      >
        <Scroller label="Responses here and in the fork">
          {button}
          <Table
            heads={['Request', 'Here', 'In the fork', 'Why']}
            rows={steps.slice(hasAll ? 0 : before).map((step, index) => ({
              key: index,
              kind: isOtherwise(step) ? 'otherwise' : '',
              cells: [
                step.asked === null ? step.step : <Linked text={step.asked} />,
                shown(step.original),
                shown(step.twin),
                <OtherWorld.Provider value={world.id}>
                  <span class="small">
                    <Linked text={step.problem ?? ''} />
                  </span>
                </OtherWorld.Provider>,
              ],
            }))}
          />
        </Scroller>
        <RequestsLeftOut what="could not be replayed" of={left_out} />
      </Panel>
      {chosen !== undefined && twin !== undefined && (
        <>
          <Choice label="Side by side" kind="inline" of={ids} value={chosen} onChange={setChosen} />
          <SideBySide key={chosen} id={chosen} twin={twin} otherWorld={world.id} />
        </>
      )}
    </>
  )
}

/** The two timelines, from where they part, in the same lanes and under one scroll bar. */
function SideBySide({ id, twin, otherWorld }: { id: string; twin: string; otherWorld: string }) {
  const here = useWhy(id)
  const there = useWhy(twin, otherWorld)
  const timelines = [here.data?.timeline ?? [], there.data?.timeline ?? []] as const
  const parting = partingOf(...timelines)
  const { hasAll, button } = useBeginning(parting[0], 'moment', 'before the first difference')
  const [from, twinFrom] = hasAll ? [0, 0] : parting
  const { lanes } = layoutOf(timelines.flat())
  const sides = [
    ['Here', undefined, here, from],
    ['In the fork', otherWorld, there, twinFrom],
  ] as const
  return (
    <>
      {here.data && there.data && button}
      <section
        class="side-by-side"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        aria-label="Both timelines"
        style={{ '--lanes': lanes.length }}
      >
        {sides.map(([title, world, loaded, start]) => (
          <OtherWorld.Provider key={title} value={world}>
            <section class="panel side" aria-label={title}>
              <h2>{title}</h2>
              <LoadedTimeline {...loaded} from={start} lanes={lanes} />
            </section>
          </OtherWorld.Provider>
        ))}
      </section>
    </>
  )
}

function isOtherwise({ original, twin, problem }: Step): boolean {
  return problem !== null || (original !== null && shown(original) !== shown(twin))
}

function shown(answer: Step['twin']): string {
  if (!answer) return ''
  return answer.error === null ? `${answer.status}` : `${answer.status} ${answer.error}`
}

function verdict(steps: readonly Step[]): string {
  const many = steps.filter(isOtherwise).length
  return many === 0 ? 'Same outcome' : counted(many, 'difference')
}
