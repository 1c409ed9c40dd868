// Pure: saved scenarios and the dashboard use it, too.

/** A restore or reset, by its place in the journal. */
export interface Border {
  order: number
  /** Where its snapshot was taken; undefined for a reset, and when that is unknown. */
  taken?: number | undefined
}

/** What led to a state: one line of history. */
export interface Line<Mark extends Border = Border> {
  /** Stretches of the journal, each after `from` and up to `to`. */
  spans: readonly { from: number; to: number }[]
  /** The restore or reset that undid the state; undefined for the present one. */
  end: Mark | undefined
}

/** Which facts belong together. With a seed and a frozen clock, an id may name another thing after a restore or reset. */
export interface Lives<Mark extends Border = Border> {
  /** The last state that a place has led to: the present one, unless a restore or reset has undone it. */
  lineOf(place: number): Line<Mark>
  /** The line that led to a place, and ends there. */
  lineTo(place: number): Line<Mark>
  /** The restore or reset that undid what happened at a place; undefined where a later restore brought it back. */
  undoneBy(place: number): Mark | undefined
  /** Whether what happened at one place is part of the state at a later one. */
  hasLedTo(place: number, later: number): boolean
  /** Whether one of two places has led to the other. */
  areOnOneLine(one: number, other: number): boolean
}

export const isOn = ({ spans }: Pick<Line, 'spans'>, place: number): boolean =>
  spans.some(({ from, to }) => place > from && place <= to)

/** Whether a request may have changed what a restore or reset takes back, which it is not itself. */
export function isUndoable({ method, url }: { method: string; url: string }): boolean {
  return method !== 'GET' && method !== 'HEAD' && !/^\/(rpc|_sim\/(reset|snapshots))/.test(url)
}

/** Reads the lives of a journal from its restores and resets, oldest first. */
export function livesOf<Mark extends Border>(marks: readonly Mark[]): Lives<Mark> {
  const lineTo = (place: number): Line<Mark> => {
    const spans: { from: number; to: number }[] = []
    for (let at: number | undefined = place; at !== undefined; ) {
      const to: number = at
      const mark = marks.findLast(({ order }) => order <= to)
      spans.push({ from: mark?.order ?? 0, to })
      at = mark?.taken
    }
    return { spans, end: undefined }
  }
  /** The present line, then those that a mark has ended, from the last mark on. */
  const lines: Line<Mark>[] = []
  const lineAt = (index: number): Line<Mark> => {
    const end = index === 0 ? undefined : marks[marks.length - index]!
    lines[index] ??= { spans: lineTo(end ? end.order - 0.5 : Number.POSITIVE_INFINITY).spans, end }
    return lines[index]!
  }
  const find = (place: number): Line<Mark> | undefined => {
    for (let index = 0; index <= marks.length; index++) {
      const line = lineAt(index)
      if (line.end && line.end.order < place) return undefined
      if (isOn(line, place)) return line
    }
    return undefined
  }
  const known = new Map<number, Line<Mark>>()
  const lineOf = (place: number): Line<Mark> => {
    // A restore itself is the beginning of what follows.
    const line = known.get(place) ?? find(place) ?? find(place + 0.5) ?? lineAt(0)
    known.set(place, line)
    return line
  }
  const hasLedTo = (place: number, later: number): boolean => isOn(lineTo(later), place)
  return {
    lineOf,
    lineTo,
    undoneBy: (place) => lineOf(place).end,
    hasLedTo,
    areOnOneLine: (one, other) =>
      marks.length === 0 || hasLedTo(Math.min(one, other), Math.max(one, other)),
  }
}
