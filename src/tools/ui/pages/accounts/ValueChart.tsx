import { useMemo, useState } from 'preact/hooks'
import type { AccountView } from '../../api/types.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { shownTime } from '../../parts/text.js'
import { chartOf } from './chart.js'

const percent = (share: number): string => `${share * 100}%`

/** What an account was worth over the simulator's time. A pointer or the arrow keys go from value to value. */
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
