import { useMemo, useState } from 'preact/hooks'
import { answered, controlApiOf } from '../../api/session.js'
import type { ExchangeView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { JsonView } from '../../parts/JsonView.js'
import { Linked, OtherWorld } from '../../parts/Linked.js'
import { Breakable, Status } from '../../parts/labels.js'
import { Panel, Table } from '../../parts/panels.js'
import { executionOf } from '../../parts/planned.js'
import { counted } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/WhyVerdict.js'
import { hrefIn } from '../../shell/route.js'
import { type ComparedStep, compareWorlds, differencesOf, mostAligned } from './comparison.js'

/** All requests of a world, oldest first. */
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

interface Worlds {
  ids: readonly string[]
  names: readonly string[]
}

/** The requests of two worlds side by side, from the first difference on. */
export function Comparison({ ids, names }: Worlds) {
  const [hasAll, setAll] = useState(false)
  const [most, setMost] = useState(atOnce)
  const { data, refusal } = useLoaded('journals', () => Promise.all(ids.map(journalOf)))
  const compared = useMemo(() => data && compareWorlds(data[0] ?? [], data[1] ?? []), [data])
  if (refusal) return <p role="alert">{refusal.message}. Choose other worlds.</p>
  if (!compared) return <p aria-busy="true">Loading…</p>
  const { steps, rest } = compared
  const parting = steps.findIndex(({ isSame }) => !isSame)
  const before = parting === -1 ? steps.length : parting
  const from = hasAll ? 0 : before
  const left = steps.length - from - most
  return (
    <Panel
      title={
        parting === -1
          ? `Same requests, same outcome: ${names.join(' and ')}`
          : `First difference: request ${parting + 1}`
      }
    >
      {before > 0 && (
        <button type="button" class="quiet" onClick={() => setAll(!hasAll)}>
          {hasAll ? 'Hide' : 'Show'} {counted(before, 'request')} that went the same way
        </button>
      )}
      <div class="pair">
        {ids.map((id, side) => (
          <h3 key={id}>{names[0] === names[1] ? id : names[side]}</h3>
        ))}
      </div>
      <ol class="steps-of-two">
        {steps.slice(from, from + most).map((step, index) => (
          <StepItem
            key={from + index}
            step={step}
            isFirst={from + index === parting}
            ids={ids}
            names={names}
          />
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

function StepItem({
  step,
  isFirst,
  ids,
  names,
}: Worlds & { step: ComparedStep; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const sides = [step.one, step.other]
  return (
    <li class={step.isSame ? '' : 'otherwise'}>
      {isFirst && <span class="pill bad">first difference</span>}
      <div class="pair">
        {sides.map((exchange, side) => (
          <Asked key={ids[side]} world={ids[side]!} exchange={exchange} />
        ))}
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="small">Bodies</summary>
        {isOpen && (
          <>
            <Bodies what="Request" of={sides.map((each) => each?.body)} ids={ids} names={names} />
            <Bodies
              what="Response"
              of={sides.map((each) => each?.answer?.body)}
              ids={ids}
              names={names}
            />
          </>
        )}
      </details>
    </li>
  )
}

const mostFields = 100

/** The bodies of both sides, with the fields in which they differ before them. */
function Bodies({ what, of, ids, names }: Worlds & { what: string; of: readonly unknown[] }) {
  const differing = of.includes(undefined) ? [] : differencesOf(of[0], of[1])
  return (
    <>
      <h3>
        {what}: {counted(differing.length, 'difference')} besides ids and times
      </h3>
      {differing.length > 0 && (
        <Table
          heads={['Field', ...ids.map((id, side) => (names[0] === names[1] ? id : names[side]!))]}
          rows={differing.slice(0, mostFields).map(({ path, values }) => ({
            key: path,
            cells: [path, ...values.map((value) => <code>{value ?? 'absent'}</code>)],
          }))}
        />
      )}
      <div class="pair">
        {of.map((body, side) => (
          <OtherWorld.Provider key={ids[side]} value={ids[side]}>
            {body === undefined ? (
              <p class="empty">No body.</p>
            ) : (
              <JsonView value={body} label={`${what} body in ${names[side]}`} />
            )}
          </OtherWorld.Provider>
        ))}
      </div>
    </>
  )
}

/** A request of one world, and what became of it: of an execution, the outcome of its activity. */
function Asked({ world, exchange }: { world: string; exchange: ExchangeView | undefined }) {
  if (!exchange) return <p class="empty">No such request.</p>
  const { cursor, method, url, answer } = exchange
  const hint = answer?.headers['x-svc-sim-hint']
  const execution = executionOf(exchange)
  return (
    <OtherWorld.Provider value={world}>
      <div>
        <a href={hrefIn(world, ['journal', `${cursor}`])}>
          {method} <Breakable text={url} />
        </a>{' '}
        <Status answer={answer} />
        {execution && (
          <>
            {' '}
            <span class={`pill ${execution.status}`}>{execution.status}</span>
            {execution.status !== 'confirmed' && <WhyVerdict of={execution.activity_id} />}
          </>
        )}
        {hint !== undefined && (
          <p class="small">
            <Linked text={hint} />
          </p>
        )}
      </div>
    </OtherWorld.Provider>
  )
}
