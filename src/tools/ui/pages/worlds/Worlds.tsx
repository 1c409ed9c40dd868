import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { isReadOnly } from '../../api/live.js'
import { answered, controlApiOf } from '../../api/session.js'
import type { ExchangeView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { byFailure, endedWorlds, useWorlds, worlds } from '../../api/worlds.js'
import { JsonView } from '../../parts/JsonView.js'
import { Linked, OtherWorld } from '../../parts/Linked.js'
import { Breakable, Status } from '../../parts/labels.js'
import { Count, Panel, Scroller, Table, useBeginning } from '../../parts/panels.js'
import { executionOf } from '../../parts/planned.js'
import { counted } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/verdicts.js'
import { href, hrefIn } from '../../shell/route.js'
import { EndedWorlds, Failed, leasedText, worldName } from '../../shell/world.js'
import {
  type ComparedStep,
  compareWorlds,
  differencesOf,
  differenceText,
  mostAligned,
} from './comparison.js'

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
  const all = byFailure([...worlds.value, ...(endedWorlds.value?.ended_worlds ?? [])])
  return (
    <Panel
      title="Leased worlds"
      aside={<Count of={worlds.value.filter(({ test_of }) => test_of === null)} />}
    >
      <EndedWorlds />
      {all.length === 0 ? (
        <p class="empty">
          {isReadOnly.value
            ? 'This run leased no world.'
            : 'None. The vitest fixtures, leaseWorld() and POST /_sim/worlds lease worlds, each a simulator of its own.'}
        </p>
      ) : (
        <>
          <Scroller kind="scroller world-table" label="Worlds, failures first">
            <Table
              heads={['World', 'Failed', 'Compare']}
              rows={all.map((world) => ({
                key: world.id,
                cells: [
                  <>
                    {'ended_at' in world ? (
                      worldName(world)
                    ) : (
                      <a href={hrefIn(world.id, ['overview'])}>{worldName(world)}</a>
                    )}{' '}
                    <span class="small">
                      {world.state !== 'leased' && (
                        <span class={`pill ${world.state === 'lost' ? 'bad' : 'frozen'}`}>
                          {world.state}
                        </span>
                      )}{' '}
                      {world.test_of !== null &&
                        `one test of ${world.test_of === 'default' ? 'the default' : 'a'} world `}
                      {leasedText(world)}
                    </span>
                  </>,
                  <Failed {...world} />,
                  'ended_at' in world ? (
                    'gone'
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={`Compare ${worldName(world)}`}
                      checked={picked.includes(world.id)}
                      onChange={({ currentTarget }) => pick(world.id, currentTarget.checked)}
                    />
                  ),
                ],
              }))}
            />
          </Scroller>
          {picked.length === 2 ? (
            <a class="button primary" href={href(['worlds', ...picked])}>
              Compare the two
            </a>
          ) : (
            <p class="small">
              Choose two leased worlds to see the first request at which they differ.
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

async function journalOf(id: string): Promise<ExchangeView[]> {
  const journal: ExchangeView[] = []
  for (let since = 0; ; ) {
    const params = { query: { since, limit: 1_000 } }
    const page = await answered(controlApiOf(id).GET('/_sim/journal', { params }))
    journal.push(...page.exchanges)
    if (page.exchanges.length < params.query.limit) return journal
    since = page.cursor
  }
}

const atOnce = 50

type World = { id: string; name: string }

function Comparison({ of }: { of: readonly World[] }) {
  const [most, setMost] = useState(atOnce)
  const { data: compared, refusal } = useLoaded('journals', async () => {
    const [one = [], other = []] = await Promise.all(of.map(({ id }) => journalOf(id)))
    return compareWorlds(one, other)
  })
  const { steps, rest } = compared ?? { steps: [], rest: 0 }
  const parting = steps.findIndex(({ isSame }) => !isSame)
  const before = parting === -1 ? steps.length : parting
  const { hasAll, button } = useBeginning(before, 'request', 'that went the same way')
  if (refusal) return <p role="alert">{refusal.message}. Choose other worlds.</p>
  if (!compared) return <p aria-busy="true">Loading…</p>
  const from = hasAll ? 0 : before
  const left = steps.length - from - most
  return (
    <Panel
      title={
        parting === -1
          ? 'Same requests and outcomes, successful reads aside'
          : `First difference: request ${parting + 1}`
      }
    >
      {parting !== -1 && (
        <p class="callout bad">
          <Breakable
            text={differenceText(
              steps[parting]!,
              of.map(({ name }) => name),
            )}
          />
        </p>
      )}
      {button}
      <Pair of={of} show={({ name }) => <h3>{name}</h3>} />
      <ol class="steps-of-two">
        {steps.slice(from, from + most).map((step, index) => (
          <StepItem key={from + index} step={step} isFirst={from + index === parting} of={of} />
        ))}
      </ol>
      {left > 0 && (
        <button type="button" onClick={() => setMost(most + atOnce)}>
          Show {Math.min(atOnce, left)} more of {left}
        </button>
      )}
      {rest > 0 && (
        <p class="small">
          {counted(rest, 'later request')} not compared: at most {mostAligned} of each world are,
          from the first difference on.
        </p>
      )}
    </Panel>
  )
}

function Pair({
  of,
  show,
}: {
  of: readonly World[]
  show(of: World, side: number): ComponentChild
}) {
  return (
    <div class="pair">
      {of.map((world, side) => (
        <OtherWorld.Provider key={world.id} value={world.id}>
          <div>{show(world, side)}</div>
        </OtherWorld.Provider>
      ))}
    </div>
  )
}

function StepItem({
  step: { one, other, isSame },
  isFirst,
  of,
}: {
  step: ComparedStep
  isFirst: boolean
  of: readonly World[]
}) {
  const [isOpen, setOpen] = useState(false)
  const sides = [one, other]
  const bodies = {
    Request: sides.map((each) => each?.body),
    Response: sides.map((each) => each?.answer?.body),
  }
  return (
    <li class={isSame ? '' : 'otherwise'}>
      {isFirst && <span class="pill bad">first difference</span>}
      <Pair of={of} show={({ id }, side) => <Asked world={id} exchange={sides[side]} />} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="small">Bodies</summary>
        {isOpen &&
          Object.entries(bodies).map(([what, both]) => (
            <Bodies key={what} what={what} both={both} of={of} />
          ))}
      </details>
    </li>
  )
}

const mostFields = 100

function Bodies({
  what,
  both,
  of,
}: {
  what: string
  both: readonly unknown[]
  of: readonly World[]
}) {
  const hasBoth = !both.includes(undefined)
  const differing = hasBoth ? differencesOf(both[0], both[1]) : []
  return (
    <>
      <h3>
        {what}
        {hasBoth && `: ${counted(differing.length, 'difference')} besides ids and times`}
      </h3>
      {differing.length > 0 && (
        <Table
          heads={['Field', ...of.map(({ name }) => name)]}
          rows={differing.slice(0, mostFields).map(({ path, values }) => ({
            key: path,
            cells: [path, ...values.map((value) => <code>{value ?? 'absent'}</code>)],
          }))}
        />
      )}
      <Pair
        of={of}
        show={({ name }, side) =>
          both[side] === undefined ? (
            <p class="empty">No body.</p>
          ) : (
            <JsonView value={both[side]} label={`${what} body in ${name}`} />
          )
        }
      />
    </>
  )
}

function Asked({ world, exchange }: { world: string; exchange: ExchangeView | undefined }) {
  if (!exchange) return <p class="empty">No such request.</p>
  const { cursor, method, url, answer } = exchange
  const hint = answer?.headers['x-svc-sim-hint']
  const execution = executionOf(exchange)
  return (
    <>
      <a href={hrefIn(world, ['journal', `${cursor}`])}>
        {method} <Breakable text={url} />
      </a>{' '}
      <Status answer={answer} />
      {execution && (
        <>
          {' '}
          <span class={`pill ${execution.status}`}>{execution.status}</span>
          {execution.status !== 'confirmed' && (
            <WhyVerdict of={execution.activity_id} cursor={cursor} />
          )}
        </>
      )}
      {hint !== undefined && (
        <p class="small">
          <Linked text={hint} />
        </p>
      )}
    </>
  )
}
