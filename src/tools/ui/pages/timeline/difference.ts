import type { Moment } from '../../api/types.js'

export function readsOf(timeline: readonly Moment[]): ReadonlySet<number | null> {
  return new Set(
    timeline.flatMap(({ type, details, cursor }) =>
      type === 'reads' || (type === 'request' && details.method === 'GET') ? [cursor] : [],
    ),
  )
}

/**
 * Where two timelines part: how many moments at the beginning of each went the same way, under other ids. Reads do not count: a fork does
 * not repeat them all. `[0, 0]` when both are the same to the end.
 */
export function partingOf(
  here: readonly Moment[],
  there: readonly Moment[],
): readonly [number, number] {
  const [hereSteps, thereSteps] = [stepsOf(here), stepsOf(there)]
  const differs = hereSteps.findIndex(({ words }, step) => words !== thereSteps[step]?.words)
  const parting = differs === -1 ? hereSteps.length : differs
  if (parting === hereSteps.length && parting === thereSteps.length) return [0, 0]
  return [hereSteps[parting]?.index ?? here.length, thereSteps[parting]?.index ?? there.length]
}

/** Each moment except reads: its place, and its words without ids, hashes and addresses. */
function stepsOf(timeline: readonly Moment[]): { index: number; words: string }[] {
  const reads = readsOf(timeline)
  return timeline.flatMap(({ type, title, cursor }, index) => {
    if (reads.has(cursor)) return []
    const drawn = /\b[a-z]{2,3}_[0-9A-Za-z]{12,32}\b|\b0x[0-9a-f]+/gi
    return [{ index, words: `${type} ${title.replaceAll(drawn, '')}` }]
  })
}
