import { useState } from 'preact/hooks'
import { isReadOnly } from '../../api/live.js'
import { answered, controlApiOf } from '../../api/session.js'
import type { ExchangeView, WorldView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { byFailure, loadWorlds, worlds } from '../../api/worlds.js'
import { Linked, OtherWorld } from '../../parts/Linked.js'
import { Breakable } from '../../parts/labels.js'
import { Count, Panel, Scroller, Table } from '../../parts/panels.js'
import { counted, shownSpan, shownTime } from '../../parts/text.js'
import { href, hrefIn } from '../../shell/route.js'
import { FailedTests } from '../../shell/world.js'
import { compareWorlds, shownOutcome } from './comparison.js'

/** The leased worlds, those in which something failed first; or two of them side by side. */
export default function Worlds({ rest: [one, other] }: { rest: readonly string[] }) {
  useLoaded('worlds', loadWorlds, ({ type }) => type === 'world' || type === 'dropped')
  return (
    <div class="stack">
      <WorldList chosen={[one, other].filter((id) => id !== undefined)} />
      {one !== undefined && other !== undefined && (
        <Comparison key={`${one} ${other}`} one={one} other={other} />
      )}
    </div>
  )
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
          <Scroller label="Worlds, failures first">
            <Table
              heads={['World', 'State', 'Failed', isReadOnly.value ? 'Leased' : 'Age', 'Compare']}
              rows={byFailure(worlds.value).map((world) => ({
                key: world.id,
                cells: [
                  <a href={hrefIn(world.id, ['overview'])}>{nameOf(world)}</a>,
                  <State {...world} />,
                  <Failed {...world} />,
                  isReadOnly.value
                    ? shownTime(world.leased_at)
                    : shownSpan((Date.now() - Date.parse(world.leased_at)) / 1000),
                  <input
                    type="checkbox"
                    aria-label={`Compare ${nameOf(world)}`}
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

const nameOf = ({ id, name }: Pick<WorldView, 'id' | 'name'>): string => name ?? id

function State({ state, lost }: WorldView) {
  if (state === 'lost') return <span class="pill bad">lost: {lost}</span>
  return isReadOnly.value ? (
    <span class="pill frozen">ended</span>
  ) : (
    <span class="pill good">{state}</span>
  )
}

function Failed(world: WorldView) {
  const { failed_tests, failed_activities, refused } = world
  if (failed_activities === null) return <span class="small">The world does not respond.</span>
  const counts = [
    failed_activities > 0 &&
      `${failed_activities} failed ${failed_activities === 1 ? 'activity' : 'activities'}`,
    (refused ?? 0) > 0 && counted(refused ?? 0, 'refused request'),
  ].filter((text) => text !== false)
  return (
    <>
      <FailedTests of={world} />
      <span class="small">{counts.join(', ') || (failed_tests.length > 0 ? '' : 'nothing')}</span>
    </>
  )
}

/** All that a world was asked, oldest first. */
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

/** What two worlds were asked, from the first request at which they differ. */
function Comparison({ one, other }: { one: string; other: string }) {
  const [hasAll, setAll] = useState(false)
  const { data, refusal } = useLoaded('journals', () => Promise.all([one, other].map(journalOf)))
  if (refusal) return <p role="alert">{refusal.message}. Choose other worlds.</p>
  if (!data) return <p aria-busy="true">Loading…</p>
  const steps = compareWorlds(data[0] ?? [], data[1] ?? [])
  const parting = steps.findIndex(({ isSame }) => !isSame)
  const before = parting === -1 ? steps.length : parting
  const titles = [one, other].map((id) =>
    nameOf(worlds.value.find((each) => each.id === id) ?? { id, name: null }),
  )
  return (
    <Panel
      title={
        parting === -1
          ? `Same requests, same outcome: ${titles.join(' and ')}`
          : `First difference: request ${parting + 1}`
      }
    >
      {before > 0 && (
        <button type="button" class="quiet" onClick={() => setAll(!hasAll)}>
          {hasAll ? 'Hide' : 'Show'} {counted(before, 'request')} that went the same way
        </button>
      )}
      <Scroller label="Both worlds, request by request">
        <Table
          heads={titles[0] === titles[1] ? [one, other] : titles}
          rows={steps.slice(hasAll ? 0 : before).map((step, index) => ({
            key: index,
            kind: step.isSame ? '' : 'otherwise',
            cells: [
              <Asked key={1} world={one} exchange={step.one} />,
              <Asked key={2} world={other} exchange={step.other} />,
            ],
          }))}
        />
      </Scroller>
    </Panel>
  )
}

function Asked({ world, exchange }: { world: string; exchange: ExchangeView | undefined }) {
  if (!exchange) return <span class="small">nothing any more</span>
  const { cursor, method, url, answer } = exchange
  const hint = answer?.headers['x-svc-sim-hint']
  return (
    <OtherWorld.Provider value={world}>
      <a href={hrefIn(world, ['journal', `${cursor}`])}>
        {method} <Breakable text={url} />
      </a>{' '}
      <strong>{shownOutcome(answer)}</strong>
      {hint !== undefined && (
        <p class="small">
          <Linked text={hint} />
        </p>
      )}
    </OtherWorld.Provider>
  )
}
