/** A value at a moment of the simulator's clock, in milliseconds. */
export interface ChartPoint {
  at: number
  value: number
}

const width = 600
const height = 150

/** A line over time. What it says stands in its label too, for who cannot see it. */
export function LineChart({
  points,
  label,
  shown,
}: {
  points: readonly ChartPoint[]
  label: string
  shown(value: number): string
}) {
  const values = points.map(({ value }) => value)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = (high - low) * 0.12 || Math.max(Math.abs(high) * 0.02, 1)
  const span = last.at - first.at || 1
  const x = (at: number): number => ((at - first.at) / span) * width
  const y = (value: number): number =>
    height - ((value - low + room) / (high - low + 2 * room)) * height
  // A value stands until the next one is seen.
  const line = points
    .map(({ at, value }, i) => {
      const next = i === 0 ? `M${x(at)},${y(value)}` : `H${x(at)}V${y(value)}`
      return next
    })
    .join('')
  const whole = points.length === 1 ? `${line}H${width}` : line
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: from ${shown(first.value)} to ${shown(last.value)}, at least ${shown(low)}, at most ${shown(high)}`}
      >
        <path class="area" d={`${whole}V${height}H0Z`} />
        <path class="line" d={whole} />
      </svg>
      <figcaption>
        <span>{new Date(first.at).toISOString().slice(5, 19).replace('T', ' ')}</span>
        <span>
          {shown(low)} to {shown(high)}
        </span>
        <span>{new Date(last.at).toISOString().slice(5, 19).replace('T', ' ')}</span>
      </figcaption>
    </figure>
  )
}
