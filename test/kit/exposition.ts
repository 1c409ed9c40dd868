/** The figures of `GET /metrics`. */
export interface Exposition {
  /** Names and what they are, without the suffixes of histograms. */
  types: ReadonlyMap<string, string>
  /** Values by series, as they are written: `name{label="value"}`. */
  series: ReadonlyMap<string, number>
}

const sample =
  /^([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[0-9.e+-]+)$/

/** Reads the text format of Prometheus, and throws on everything that it does not allow. */
export function readExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const helps = new Set<string>()
  const types = new Map<string, string>()
  const series = new Map<string, number>()
  let current: string | undefined
  for (const line of text.split('\n')) {
    const [, keyword, about, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (helps.has(about!)) throw new Error(`two texts for ${about}`)
      helps.add(about!)
    } else if (keyword === 'TYPE') {
      if (types.has(about!)) throw new Error(`two types for ${about}`)
      if (!['gauge', 'counter', 'histogram'].includes(rest!)) throw new Error(line)
      types.set(about!, rest!)
      current = about
    } else if (line !== '') {
      const [, name, , value] = sample.exec(line) ?? []
      if (name === undefined) throw new Error(`not a sample: ${line}`)
      const isOfHistogram = types.get(current!) === 'histogram'
      const family = isOfHistogram ? name.replace(/_(bucket|sum|count)$/, '') : name
      if (family !== current || !helps.has(family)) throw new Error(`out of place: ${line}`)
      if (types.get(family) === 'counter' && !name.endsWith('_total'))
        throw new Error(`a counter is named ..._total: ${line}`)
      const key = line.slice(0, line.lastIndexOf(' '))
      if (series.has(key)) throw new Error(`twice: ${key}`)
      if (!Number.isFinite(Number(value))) throw new Error(line)
      series.set(key, Number(value))
    }
  }
  checkHistograms(series)
  return { types, series }
}

/** Buckets grow up to `+Inf`, which is the count. */
function checkHistograms(series: ReadonlyMap<string, number>): void {
  const before = new Map<string, number>()
  for (const [key, value] of series) {
    const [, name, labels, bound] = /^(.*)_bucket\{(.*),le="(.*)"\}$/.exec(key) ?? []
    if (name === undefined) continue
    const of = `${name}{${labels}}`
    if (value < (before.get(of) ?? 0)) throw new Error(`${key} is less than the bucket before`)
    before.set(of, value)
    if (bound === '+Inf' && series.get(`${name}_count{${labels}}`) !== value)
      throw new Error(`${key} is not the count`)
  }
}
