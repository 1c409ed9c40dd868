import { useEffect, useState } from 'preact/hooks'
import { jsonOrText } from '../../../../lib/json.js'
import { exchanges, isReadOnly, loadWholeJournal, overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { ForkView } from '../../api/types.js'
import { useAsking } from '../../api/useAsking.js'
import { useLoaded } from '../../api/useLoaded.js'
import { loadWorlds } from '../../api/worlds.js'
import { Choice, Form, TextField } from '../../parts/controls.js'
import { Linked, OtherWorld } from '../../parts/Linked.js'
import { FoldedList, Panel, Scroller, Table, useBeginning } from '../../parts/panels.js'
import { counted, parseSpan } from '../../parts/text.js'
import { RefusalBox, useWhy } from '../../parts/verdicts.js'
import { href, hrefIn } from '../../shell/route.js'
import { partingOf } from '../timeline/difference.js'
import { layoutOf } from '../timeline/layout.js'
import { LoadedTimeline } from '../timeline/Timeline.js'

export function ForkHere({ cursor }: { cursor: number }) {
  const { isAsking, refusal, ask } = useAsking()
  const [fork, setFork] = useState<ForkView>()
  useEffect(() => loadWholeJournal(), [])
  const exchange = exchanges.value.find((each) => each.cursor === cursor)
  const forked = (overview.value?.networks ?? []).flatMap(({ network, forked_from }) =>
    forked_from === null ? [] : [network],
  )
  const run = (change: readonly Change[]): Promise<void> => {
    setFork(undefined)
    const body = { before: cursor, change: [...change] }
    return ask(async () =>
      setFork(await answered(controlApi.POST('/_sim/journal/fork', { body }))),
    ).finally(loadWorlds)
  }
  return (
    <div class="stack">
      <Panel
        title={`Fork before ${exchange ? `${exchange.method} ${exchange.url}` : `request ${cursor}`}`}
        aside={
          <a class="button" href={href(['journal', `${cursor}`])}>
            Back to the journal
          </a>
        }
      >
        <p class="small">
          The simulator replays all earlier requests in a separate world, applies your change, and
          replays the rest. This world does not change.
        </p>
        {isReadOnly.value ? (
          <p class="empty">A trace cannot be replayed: no simulator is running.</p>
        ) : forked.length > 0 ? (
          <p class="empty">
            Cannot fork here: {forked.join(', ')} {forked.length > 1 ? 'are' : 'is'} forked from a
            live chain, but the separate world would start offline, with other contracts and
            balances. Start svc-sim without <code>--fork</code>.
          </p>
        ) : (
          <ChangeForm isRunning={isAsking} onRun={run} />
        )}
        {refusal && <RefusalBox refusal={refusal} />}
      </Panel>
      {isAsking && <p aria-busy="true">Replaying in a separate world…</p>}
      {fork && <ForkResult fork={fork} />}
    </div>
  )
}

type Change = Record<string, unknown>

const kinds = {
  time: 'Advance the clock',
  price: 'Change a price',
  fault: 'Add a fault',
  nothing: 'Nothing',
} as const

function ChangeForm({
  isRunning,
  onRun,
}: {
  isRunning: boolean
  onRun(change: readonly Change[]): void
}) {
  const [kind, setKind] = useState<keyof typeof kinds>('time')
  const [span, setSpan] = useState('2m 1s')
  const [asset, setAsset] = useState('ETH')
  const [usd, setUsd] = useState('')
  const [rule, setRule] = useState('')
  const { data } = useLoaded('effects', () => answered(controlApi.GET('/_sim/effects')))
  const seconds = parseSpan(span)
  const parsedRule = ruleOf(rule.trim())
  // Undefined while nothing that can be changed is typed.
  const change: Change[] | undefined = {
    time: seconds === undefined ? undefined : [{ advance: seconds }],
    price: usd.trim() === '' ? undefined : [{ price: { [asset]: usd.trim() } }],
    fault: parsedRule && [{ fault: parsedRule }],
    nothing: [],
  }[kind]
  const assets = Object.keys(overview.value?.prices ?? { ETH: '' })
  return (
    <Form class="filters" onSubmit={() => change && onRun(change)}>
      <Choice
        label="Change"
        value={kind}
        of={Object.entries(kinds)}
        onChange={(value) => setKind(value as keyof typeof kinds)}
      />
      {kind === 'time' && (
        <TextField label="How long" value={span} onInput={setSpan} aria-invalid={!change} />
      )}
      {kind === 'price' && (
        <>
          <Choice label="Asset" value={asset} of={assets} onChange={setAsset} />
          <TextField
            label="USD"
            value={usd}
            onInput={setUsd}
            aria-invalid={usd !== '' && !change}
          />
        </>
      )}
      {kind === 'fault' && (
        <>
          <TextField
            label="Rule"
            value={rule}
            onInput={setRule}
            aria-invalid={rule !== '' && !change}
            list="fork-effects"
            placeholder="plan.no_wallet, or a rule as JSON"
          />
          <datalist id="fork-effects">
            {data?.effects.map(({ on, effect }) => (
              <option key={`${on}.${effect}`} value={`${on}.${effect}`} />
            ))}
          </datalist>
        </>
      )}
      <button type="submit" class="primary" disabled={!change || isRunning}>
        Replay
      </button>
    </Form>
  )
}

function ruleOf(text: string): Change | undefined {
  const [, on, effect] = /^(\w+)\.(\w+)$/.exec(text) ?? []
  if (on !== undefined) return { on, effect }
  const rule = jsonOrText(text)
  return typeof rule === 'object' && rule !== null ? { ...rule } : undefined
}

type Step = ForkView['steps'][number]

function ForkResult({ fork: { world, steps, twins, left_out } }: { fork: ForkView }) {
  const ids = Object.keys(twins).filter((id) => /^(acc|pln|act)_/.test(id))
  const [chosen, setChosen] = useState(ids.find((id) => id.startsWith('pln_')) ?? ids[0])
  const twin = chosen === undefined ? undefined : twins[chosen]
  const many = steps.filter(isOtherwise).length
  // Begin at the first step that differs; show all when none does.
  const before = Math.max(0, steps.findIndex(isOtherwise))
  const which = 'that went the same way before the first difference'
  const { hasAll, button } = useBeginning(before, 'step', which)
  return (
    <>
      <Panel
        title={many === 0 ? 'Same outcome' : counted(many, 'difference')}
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
        <FoldedList one="request" what="could not be replayed" of={left_out} />
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

const isOtherwise = ({ original, twin, problem }: Step): boolean =>
  problem !== null || (original !== null && shown(original) !== shown(twin))

const shown = (answer: Step['twin']): string =>
  [answer?.status, answer?.error].filter(Boolean).join(' ')
