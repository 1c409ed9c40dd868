/** `2026-01-05 09:00:00`, UTC, of an ISO time or milliseconds. */
export function shownTime(at: string | number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** `09:00:00`, UTC, of an ISO time or milliseconds. */
export function shownClock(at: string | number): string {
  return new Date(at).toISOString().slice(11, 19)
}

export function shownPercent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)} %`
}

/** 4500000 of `4.5` with 6 decimals; undefined when it is no such amount. */
export function smallestUnits(whole: string, decimals: number): string | undefined {
  const [, units, part = ''] = /^\s*(\d+)(?:\.(\d*))?\s*$/.exec(whole) ?? []
  if (units === undefined || part.length > decimals) return undefined
  return (units + part.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '')
}

const units = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** `2m 5s`: the two largest parts of a span. */
export function shownSpan(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts = Object.entries(units).flatMap(([unit, size]) => {
    const many = Math.floor(rest / size)
    rest -= many * size
    return many > 0 ? [`${many}${unit}`] : []
  })
  return parts.slice(0, 2).join(' ') || '0s'
}

/** Seconds of `90`, `121s`, `5m`, `1d 2h`, `1.5h`; undefined for what is no span. */
export function parseSpan(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms]?)/gi)]
  const isSpan = /^(\s*\d+(\.\d+)?\s*[dhms]\s*)+$|^\s*\d+(\.\d+)?\s*$/i.test(text)
  if (!isSpan) return undefined
  return parts.reduce((sum, [, many, unit]) => {
    const size = units[(unit?.toLowerCase() || 's') as keyof typeof units]
    return sum + Number(many) * size
  }, 0)
}

/** How many seconds a clock that shows `nowMs` is to be advanced for a span, an instant (in UTC unless it has an offset) or a time of its day, or what is wrong with the text. */
export function advanceOf(text: string, nowMs: number): number | string {
  const span = parseSpan(text)
  if (span !== undefined) return span
  const given = text.trim().replace(/^(?=\d\d:)/, `${shownTime(nowMs).slice(0, 10)} `)
  const [, day = '', time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?(Z|[+-]\d\d:\d\d)?$/.exec(given) ?? []
  const monthEnd = new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7), 0)).toJSON().slice(0, 10)
  if (day > monthEnd && day.slice(0, 7) === monthEnd.slice(0, 7))
    return `${day} does not exist: ${day.slice(0, 7)} ends on ${monthEnd}.`
  const ms = Date.parse(`${day}T${time}${zone}`)
  if (Number.isNaN(ms))
    return `“${text}” is no time. Write a span (90, 5m, 1d 2h) or an instant (2026-01-31 09:00:00).`
  if (ms < nowMs)
    return `${shownTime(ms)} is over: the clock shows ${shownTime(nowMs)}, and only goes forward.`
  return secondsUntil(ms, nowMs)
}

/** Seconds with at most three decimals, as the clock takes them; never earlier than `ms`. A running clock shows fractions of milliseconds. */
export function secondsUntil(ms: number, nowMs: number): number {
  return Math.ceil(ms - nowMs) / 1000
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function counted(many: number, one: string): string {
  return `${many} ${many === 1 ? one : `${one}s`}`
}

export function shownBytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}

/** `4.2 ms`, `1.8 s`; nothing for what is not known. */
export function shownMs(ms: number | undefined): string {
  if (ms === undefined) return ''
  return ms < 1_000 ? `${ms < 10 ? ms : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

export function errorCodeIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

export function groupedDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}
