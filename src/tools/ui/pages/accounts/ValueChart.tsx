import { useMemo, useState } from 'preact/hooks'
import type { AccountView } from '../../api/types.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { shownTime } from '../../parts/text.js'

const percent = (share: number): string => `${share * 100}%`

/** An account's value over the simulator's time. A pointer or the arrow keys go from value to value. */
export function ValueChart({ values }: Pick<AccountView, 'values'>) {
  const chart = useMemo(
    () => chartOf(values.map(({ unix_ms, usd }) => ({ at: unix_ms, usd: usdOf(usd) }))),
    [values],
  )
  const { points, line, zero, ticks } = chart
  const [pointed, setPointed] = useState<number>()
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const shown = (pointed === undefined ? undefined : points[pointed]) ?? last
  const move = (event: KeyboardEvent): void => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (way === undefined) return
    event.preventDefault()
    const from = pointed ?? points.length - 1
    setPointed(Math.min(points.length - 1, Math.max(0, from + way)))
  }
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const box = (currentTarget as HTMLElement).getBoundingClientRect()
    const x = (clientX - box.left) / box.width
    const distances = points.map((each) => Math.abs(each.x - x))
    setPointed(distances.indexOf(Math.min(...distances)))
  }
  return (
    <figure class="chart">
      <section
        class="plot"
        aria-label={`Value from ${shownUsd(first.usd)} to ${shownUsd(last.usd)}, ${points.length} values`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from value to value
        tabIndex={0}
        onKeyDown={move}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {ticks.map(({ usd, y }) => (
          <span key={usd} class="tick" style={{ top: percent(y) }}>
            {shownUsd(usd)}
          </span>
        ))}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path class="area" d={`${line}V${zero}H0Z`} />
          <path class="line" d={line} />
        </svg>
        <span class="point" style={{ left: percent(shown.x), top: percent(shown.y) }} />
      </section>
      <figcaption class="row between">
        <span>{shownTime(first.at)}</span>
        <output>
          {shownUsd(shown.usd)} at {shownTime(shown.at)}
        </output>
        <span>{shownTime(last.at)}</span>
      </figcaption>
    </figure>
  )
}

interface ChartPoint {
  /** Unix milliseconds. */
  at: number
  /** USD with 8 decimals. */
  usd: bigint
}

/** A smaller change between two points is drawn as a slope: interest, or a price that moves. A larger one is a step. */
const driftShare = 100n

/**
 * Lays out a chart in a box of 1 by 1, y down, from zero to the largest value. Long waits are compressed: a gap is as wide as the logarithm of its seconds, so
 * that a day does not squeeze the seconds around it.
 */
export function chartOf(values: readonly ChartPoint[]) {
  const sorted = [0n, ...values.map(({ usd }) => usd)].sort((a, b) => Number(a > b) - Number(a < b))
  const [least = 0n, most = 0n] = [sorted[0], sorted.at(-1)]
  const top = roundUp(most)
  const bottom = least < 0n ? -roundUp(-least) : 0n
  const height = Number(top - bottom) || 1
  const y = (usd: bigint): number => Number(top - usd) / height
  const widths = values.map(({ at }, i) => (i === 0 ? 0 : widthOf(at - values[i - 1]!.at)))
  const width = widths.reduce((sum, each) => sum + each, 0) || 1
  let reached = 0
  const points = values.map((point, i) => {
    reached += widths[i]!
    return { ...point, x: reached / width, y: y(point.usd) }
  })
  const ticks = [bottom, 0n, top / 2n, top].filter((usd, i, ticks) => ticks.indexOf(usd) === i)
  return {
    points,
    line: lineOf(points),
    zero: y(0n),
    ticks: ticks.map((usd) => ({ usd, y: y(usd) })),
  }
}

const widthOf = (ms: number): number => Math.log2(1 + Math.max(0, ms) / 1000)

function lineOf(points: readonly (ChartPoint & { x: number; y: number })[]): string {
  if (points.length === 1) return `M0,${points[0]!.y}H1`
  return points
    .map((point, i) => {
      const before = points[i - 1]
      if (!before) return `M${point.x},${point.y}`
      return magnitude(point.usd - before.usd) * driftShare <= magnitude(before.usd)
        ? `L${point.x},${point.y}`
        : `H${point.x}V${point.y}`
    })
    .join('')
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** The next round value that is as large, at least a dollar, so that the line fills most of the box. */
function roundUp(usd: bigint): bigint {
  for (let unit = 10_000_000n; ; unit *= 10n)
    for (const step of [10n, 12n, 16n, 20n, 30n, 40n, 50n, 60n, 80n])
      if (step * unit >= usd) return step * unit
}
