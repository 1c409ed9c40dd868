import { useEffect, useMemo, useState } from 'preact/hooks'
import { assets, symbolAt } from '../../api/assets.js'
import { networkOfChain } from '../../api/live.js'
import type { WhyView } from '../../api/types.js'
import { CheckField } from '../../parts/controls.js'
import { Linked } from '../../parts/Linked.js'
import { moneyText } from '../../parts/Money.js'
import { goInstead, here } from '../../shell/route.js'
import { Diagram } from './Diagram.js'
import { readsOf } from './difference.js'
import { Findings } from './Findings.js'
import { Flights } from './Flights.js'
import type { Names } from './flights.js'
import { layoutOf } from './layout.js'
import { MomentDetails } from './MomentDetails.js'

const names: Names = {
  networkOf: networkOfChain,
  money: (network, token, raw) => moneyText({ raw, symbol: symbolAt(network, token) ?? token }),
}

/**
 * What happened to an id: what went wrong, the swim lanes, and the details of one element.
 *
 * @param isPage whether the URL has what is open: only one timeline of a page can.
 * @param from how many moments at the beginning are left out.
 * @param lanes the lanes in their order, where another timeline beside it has the same; by default its own.
 */
export function OneTimeline({
  why,
  isPage = false,
  from = 0,
  lanes,
}: {
  why: WhyView
  isPage?: boolean
  from?: number
  lanes?: readonly string[]
}) {
  const { query } = here.peek()
  const asked = (name: string) => (isPage ? query.get(name) : null)
  const [open, setOpen] = useState(asked('moment') === null ? undefined : Number(asked('moment')))
  const [hasReads, setReads] = useState(asked('reads') !== 'no')
  const [hasEvents, setEvents] = useState(asked('events') !== 'no')
  useEffect(() => {
    if (!isPage) return
    goInstead(['timeline', why.id], {
      ...(open !== undefined && { moment: `${open}` }),
      ...(!hasReads && { reads: 'no' }),
      ...(!hasEvents && { events: 'no' }),
    })
  }, [open, hasReads, hasEvents])
  const { timeline } = why
  const reads = useMemo(() => readsOf(timeline), [timeline])
  const shown = timeline
    .slice(from)
    .filter(
      ({ type, request_id }) =>
        (hasReads || !reads.has(request_id)) && (hasEvents || type !== 'event'),
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
        <Flights moments={timeline} />
        <Findings why={why} onOpen={(index) => setOpen(shown.indexOf(timeline[index]!))} />
        <div class="row">
          <CheckField label="Reads" isOn={hasReads} onChange={(on) => show(() => setReads(on))} />
          <CheckField
            label="Events"
            isOn={hasEvents}
            onChange={(on) => show(() => setEvents(on))}
          />
          <span class="small" role="status">
            {shown.length} of {timeline.length} moments. Use the arrow keys to move between them.
          </span>
        </div>
        {!why.is_complete && (
          <p class="callout">The journal no longer has older requests that may belong here.</p>
        )}
      </div>
      <div class={moment ? 'stage with-moment' : 'stage'}>
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

/** What the id belongs together with, and how the activity stands. */
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
