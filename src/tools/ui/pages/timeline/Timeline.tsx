import { useEffect, useMemo, useState } from 'preact/hooks'
import { assets, symbolAt } from '../../api/assets.js'
import { networkOfChain } from '../../api/live.js'
import type { WhyView } from '../../api/types.js'
import { CheckField, Form, TextField } from '../../parts/controls.js'
import { Flights } from '../../parts/Flights.js'
import { Linked } from '../../parts/Linked.js'
import { moneyText } from '../../parts/Money.js'
import { RefusalBox, useWhy, VerdictText } from '../../parts/verdicts.js'
import { go, href, useQuery } from '../../shell/route.js'
import { Diagram } from './Diagram.js'
import { readsOf } from './difference.js'
import { findingsOf } from './elements.js'
import { layoutOf, type Names } from './layout.js'
import { MomentDetails } from './MomentDetails.js'

export default function Timeline({ rest: [id] }: { rest: readonly string[] }) {
  const [cursor] = useQuery('cursor')
  const loaded = useWhy(id, undefined, cursor === '' ? undefined : Number(cursor))
  return (
    <div class="timeline stack">
      <Search key={id} id={id} />
      {id === undefined ? (
        <p class="empty">
          Show any id, or choose one of the <a href={href(['plans'])}>plans</a>,{' '}
          <a href={href(['accounts'])}>accounts</a> or <a href={href(['journal'])}>requests</a>.
        </p>
      ) : (
        <LoadedTimeline {...loaded} isPage />
      )}
    </div>
  )
}

export function LoadedTimeline({
  data: why,
  refusal,
  ...place
}: ReturnType<typeof useWhy> & Omit<TimelineProps, 'why'>) {
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!why) return <p aria-busy="true">Loading…</p>
  return <OneTimeline key={why.id} why={why} {...place} />
}

function Search({ id }: { id: string | undefined }) {
  const [text, setText] = useState(id ?? '')
  return (
    <Form class="row search" onSubmit={() => text.trim() !== '' && go(['timeline', text.trim()])}>
      <TextField
        label="Id"
        kind="inline"
        type="search"
        value={text}
        maxLength={64}
        placeholder="id of an account, plan, activity, intent or request"
        onInput={setText}
      />
      <button type="submit">Show</button>
    </Form>
  )
}

const names: Names = {
  networkOf: networkOfChain,
  money: (network, token, raw) => moneyText({ raw, symbol: symbolAt(network, token) ?? token }),
}

interface TimelineProps {
  why: WhyView
  /** It is the page's only timeline: the URL says what is open. */
  isPage?: boolean
  /** How many moments are left out at its beginning. */
  from?: number
  /** Those of another timeline beside it; by default its own. */
  lanes?: readonly string[]
}

function OneTimeline({ why, isPage = false, from = 0, lanes }: TimelineProps) {
  const useShown = isPage ? useQuery : () => useState('')
  const [openWord, setOpenWord] = useShown('moment')
  const [reads, setReads] = useShown('reads')
  const [events, setEvents] = useShown('events')
  const [hasReads, hasEvents] = [reads !== 'no', events !== 'no']
  const open = openWord === '' ? undefined : Number(openWord)
  const setOpen = (index: number | undefined): void => setOpenWord(`${index ?? ''}`)
  const { timeline, related } = why
  const { activity_id, account_id } = related
  const allReads = useMemo(() => readsOf(timeline), [timeline])
  const shown = timeline
    .slice(from)
    .filter(
      ({ type, cursor }) => (hasReads || !allReads.has(cursor)) && (hasEvents || type !== 'event'),
    )
  const layout = useMemo(
    () => layoutOf(shown, names, lanes),
    [timeline, hasReads, hasEvents, assets.value, from, lanes?.join()],
  )
  const moment = open === undefined ? undefined : shown[open]
  useEffect(() => {
    const close = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpen(undefined)
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [])
  const show = (change: () => void): void => {
    setOpen(undefined)
    change()
  }
  return (
    <>
      <div class="timeline-head stack">
        <Belongs why={why} />
        <Flights of={activity_id === null ? { account_id: account_id ?? '' } : { activity_id }} />
        <Findings why={why} onOpen={(index) => setOpen(shown.indexOf(timeline[index]!))} />
        <div class="row">
          <CheckField
            label="Reads"
            isOn={hasReads}
            onChange={(on) => show(() => setReads(on ? '' : 'no'))}
          />
          <CheckField
            label="Events"
            isOn={hasEvents}
            onChange={(on) => show(() => setEvents(on ? '' : 'no'))}
          />
          <span class="small" role="status">
            {shown.length} of {timeline.length} moments. Use the arrow keys to move between them.
          </span>
        </div>
        {!why.is_complete && (
          <p class="callout">
            Older requests may be missing: the journal begins at each start of the simulator, also
            with a data folder, and drops the oldest when it is full.
          </p>
        )}
      </div>
      <div class={moment ? 'stage with-moment stack' : 'stage stack'}>
        <Diagram
          of={why.id}
          layout={layout}
          open={open}
          onOpen={(index) => setOpen(index === open ? undefined : index)}
        />
        {moment && <MomentDetails moment={moment} onClose={() => setOpen(undefined)} />}
      </div>
    </>
  )
}

function Belongs({ why: { id, related, activity } }: { why: WhyView }) {
  const others = Object.entries(related).filter(([, other]) => other !== null && other !== id)
  return (
    <p class="belongs words">
      <strong class="mono">{id}</strong>
      {activity && <span class={`pill ${activity.status}`}>{activity.status}</span>}
      {others.map(([name, other]) => (
        <span key={name}>
          <span class="small">{name.replace('_id', '').replace('svc_', '')}</span>{' '}
          <Linked text={`${other}`} />
        </span>
      ))}
    </p>
  )
}

function Findings({ why, onOpen }: { why: WhyView; onOpen(index: number): void }) {
  const findings = findingsOf(why)
  // A status alone stands above.
  if (findings.length === 0 && why.now === why.verdict.outcome && !why.verdict.next) return null
  return (
    <section class="panel findings stack tight" aria-label={`What became of ${why.id}`}>
      <VerdictText why={why} />
      <ul class="list">
        {findings.map(({ tone, title, text, index }) => (
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
