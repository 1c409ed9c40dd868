import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { shownClock } from '../../parts/text.js'
import type { Crossing, Layout, Placed } from './layout.js'

const gutter = 66
const laneWidths = { least: 128, most: 290 }

interface DiagramProps {
  layout: Layout
  open: number | undefined
  onOpen(index: number): void
}

export function Diagram({ of, layout, open, onOpen }: DiagramProps & { of: string }) {
  const box = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(1_000)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setRoom(box.current?.clientWidth ?? 0))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  const lanes = lanesOf(layout, room)
  const { x, laneWidth, width } = lanes
  return (
    <section
      ref={box}
      class="diagram"
      aria-label={`Swim lanes of ${of}`}
      // What scrolls has to be reached without a mouse.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
    >
      <div class="lane-heads" style={{ width: `${width}px` }} aria-hidden="true">
        {layout.lanes.map((lane) => (
          <span
            key={lane}
            class="lane-head network-name"
            data-network={lane}
            style={{ left: `${x(lane) - laneWidth / 2}px`, width: `${laneWidth}px` }}
          >
            {lane}
          </span>
        ))}
      </div>
      <div class="lanes" style={{ width: `${width}px`, height: `${layout.height}px` }}>
        <Drawing layout={layout} lanes={lanes} open={open} />
        {layout.dividers.map(({ y, text, isEnd }) => (
          <p
            key={y}
            class={isEnd ? 'divider end' : 'divider'}
            style={{ top: `${y}px`, left: isEnd ? `${gutter}px` : '0' }}
          >
            {text}
          </p>
        ))}
        <Elements layout={layout} lanes={lanes} open={open} onOpen={onOpen} />
      </div>
    </section>
  )
}

type Lanes = ReturnType<typeof lanesOf>

/** The client's lane is narrow: its labels stand between it and the service. */
function lanesOf({ lanes }: Layout, room: number) {
  const shares = lanes.length + 0.3
  const laneWidth = Math.min(laneWidths.most, Math.max(laneWidths.least, (room - gutter) / shares))
  const x = (lane: string): number =>
    lane === 'client' ? gutter + laneWidth * 0.35 : gutter + (lanes.indexOf(lane) + 0.8) * laneWidth
  const widthOf = ({ label, sub, isBetween }: Placed): number => {
    const text = Math.max(label.length * 8, (sub?.length ?? 0) * 6.8)
    return Math.min(text + 26, isBetween ? laneWidth * 1.45 - 44 : laneWidth - 8)
  }
  return { x, widthOf, laneWidth, width: gutter + shares * laneWidth }
}

function Elements({ layout: { elements }, lanes, open, onOpen }: DiagramProps & { lanes: Lanes }) {
  const list = useRef<HTMLOListElement>(null)
  const move = (event: KeyboardEvent): void => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = way && buttons[buttons.indexOf(event.target as HTMLButtonElement) + way]
    if (!next) return
    event.preventDefault()
    next.focus()
    if (open !== undefined) onOpen(Number(next.dataset.index))
  }
  return (
    <ol ref={list} class="elements" onKeyDown={move}>
      {elements.map((element, place) => {
        const time = shownClock(element.moment.at)
        const isNew = place === 0 || shownClock(elements[place - 1]!.moment.at) !== time
        return (
          <li key={element.index}>
            {isNew && (
              <time class="when" style={{ top: `${element.y}px` }}>
                {time}
              </time>
            )}
            <Chip element={element} lanes={lanes} isOpen={element.index === open} onOpen={onOpen} />
          </li>
        )
      })}
    </ol>
  )
}

function Chip({
  element,
  lanes: { x, widthOf },
  isOpen,
  onOpen,
}: Pick<DiagramProps, 'onOpen'> & { element: Placed; lanes: Lanes; isOpen: boolean }) {
  const { index, y, at, isBetween, label, sub, tone, moment } = element
  const middle = isBetween ? (x('client') + x('service')) / 2 : x(at)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOpen])
  return (
    <button
      ref={button}
      type="button"
      class={`chip ${tone} of-${moment.type}`}
      data-index={index}
      aria-expanded={isOpen}
      title={moment.title}
      style={{ left: `${middle}px`, top: `${y}px`, width: `${widthOf(element)}px` }}
      onClick={() => onOpen(index)}
    >
      <span class="label">{label}</span>
      {sub !== undefined && <span class="sub">{sub}</span>}
      <span class="visually-hidden">{moment.title}</span>
    </button>
  )
}

function Drawing({ layout, lanes, open }: Omit<DiagramProps, 'onOpen'> & { lanes: Lanes }) {
  const { height, elements, crossings, spans, dividers } = layout
  const { x, width } = lanes
  const opened = elements.find(({ index }) => index === open)
  return (
    <svg width={width} height={height} aria-hidden="true" focusable="false">
      {opened && <rect class="opened" x="0" y={opened.y - 25} width={width} height="50" rx="8" />}
      {layout.lanes.map((lane) => (
        <line
          key={lane}
          class="lane"
          data-network={lane}
          x1={x(lane)}
          x2={x(lane)}
          y1="0"
          y2={height}
        />
      ))}
      {dividers.map(({ y, isEnd }) => (
        <line
          key={y}
          class={isEnd ? 'divider-line end' : 'divider-line'}
          x1="0"
          x2={width}
          y1={y}
          y2={y}
        />
      ))}
      {spans.map(({ top, bottom, depth }) => (
        <rect
          key={`${top} ${depth}`}
          class="span"
          x={x('service') - 4 + depth * 6}
          y={top}
          width="8"
          height={Math.max(8, bottom - top)}
          rx="4"
        />
      ))}
      {crossings.map((crossing, number) => (
        <Bridge key={number} crossing={crossing} x={x} id={`bridge-${number}`} />
      ))}
      {elements.map((element) => (
        <Arrow key={element.index} element={element} lanes={lanes} />
      ))}
    </svg>
  )
}

/** Horizontal, in its row; a plan reaches to the networks of its operations. */
function Arrow({ element, lanes: { x, widthOf } }: { element: Placed; lanes: Lanes }) {
  const { at, from, y, tone, planned, isBetween, moment } = element
  const far = planned.map(x)
  if (far.length > 0)
    return (
      <g class="planned">
        <line x1={x('service')} x2={Math.max(...far)} y1={y} y2={y} />
        {planned.map((network) => (
          <circle key={network} data-network={network} cx={x(network)} cy={y} r="6" />
        ))}
      </g>
    )
  if (from === undefined) return null
  const way = Math.sign(x(at) - x(from))
  const start = x(from)
  // A label stands in the arrow's way, or over its end.
  const end = x(at) - (isBetween ? 0 : (way * widthOf(element)) / 2)
  return (
    <g class={`arrow ${tone} of-${moment.type}`}>
      <line x1={start} x2={end - way * 6} y1={y} y2={y} />
      <path d={`M ${end} ${y} l ${-way * 9} -5 v 10 z`} />
    </g>
  )
}

/** From the deposit to the other network, or there and back when the bridge failed. */
function Bridge({ crossing, x, id }: { crossing: Crossing; x: Lanes['x']; id: string }) {
  const { from, to, fromY, toY, tone, isOpen } = crossing
  const [start, end] = [x(from), x(to)]
  const bend = Math.max(30, (toY - fromY) * 0.55)
  const isBack = tone === 'bad'
  const reach = start + (end - start) * 0.62
  const path = isOpen
    ? `M ${start} ${fromY} C ${start} ${fromY + 20}, ${reach} ${toY - 20}, ${reach} ${toY}`
    : isBack
      ? `M ${start} ${fromY} C ${reach} ${fromY + 8}, ${reach} ${toY - 8}, ${start} ${toY}`
      : `M ${start} ${fromY} C ${start} ${fromY + bend}, ${end} ${toY - bend}, ${end} ${toY - 22}`
  return (
    <g class={isOpen ? 'bridge open' : `bridge ${tone}`}>
      <linearGradient id={id} gradientUnits="userSpaceOnUse" x1={start} x2={end} y1="0" y2="0">
        <stop offset="0" class="stop" data-network={from} />
        <stop offset="1" class="stop" data-network={to} />
      </linearGradient>
      <path class="glow" d={path} />
      <path class="way" d={path} stroke={isBack ? undefined : `url(#${id})`} />
      {!isBack && !isOpen && (
        <path class="tip" data-network={to} d={`M ${end} ${toY - 15} l -6 -10 h 12 z`} />
      )}
    </g>
  )
}
