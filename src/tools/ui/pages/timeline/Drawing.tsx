import type { Crossing, Lanes, Layout, Placed } from './layout.js'

/** What has no words: the lanes, arrows between them, and what passes over bridges. */
export function Drawing({
  layout,
  lanes,
  open,
}: {
  layout: Layout
  lanes: Lanes
  open: number | undefined
}) {
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

/** Horizontal, in its row; a plan reaches out to where it is going to do something. */
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

/** From the deposit down to what became of it: over to the other network, or there and back when it came to nothing. */
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
