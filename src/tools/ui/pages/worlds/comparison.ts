import type { ExchangeView } from '../../api/types.js'
import { executionOf } from '../../parts/planned.js'
import { counted, errorCodeIn } from '../../parts/text.js'

/** The same request in both worlds, or one that only one of them got. */
export interface ComparedStep {
  one: ExchangeView | undefined
  other: ExchangeView | undefined
  isSame: boolean
}

/** More requests than these, from the first difference on, are not aligned: the work grows with their product. */
export const mostAligned = 1_500

/**
 * Aligns the requests of two worlds. Successful reads are left out, because a client may poll more often in one of them. `rest` counts
 * the requests behind those that were aligned.
 */
export function compareWorlds(one: readonly ExchangeView[], other: readonly ExchangeView[]) {
  const [ones = [], others = []] = [one, other].map((all) => all.filter(counts).map(traced))
  const parting = ones.findIndex(({ words }, index) => words !== others[index]?.words)
  const same = parting === -1 ? ones.length : parting
  const [left, right] = [ones, others].map((all) => all.slice(same, same + mostAligned))
  const pairs: Pair[] = [
    ...ones.slice(0, same).map((each, index) => [each, others[index]] as const),
    ...aligned(left!, right!),
  ]
  const steps = pairs.map(
    ([a, b]): ComparedStep => ({ one: a?.of, other: b?.of, isSame: a?.words === b?.words }),
  )
  const rest = [ones, others].map((all) => Math.max(0, all.length - same - mostAligned))
  return { steps, rest: rest[0]! + rest[1]! }
}

const counts = ({ method, answer }: ExchangeView): boolean =>
  method !== 'GET' || !answer || answer.cut || answer.status >= 400

interface Traced {
  of: ExchangeView
  shape: string
  outcome: string
  words: string
}

type Pair = readonly [Traced | undefined, Traced | undefined]

function traced(of: ExchangeView): Traced {
  const shape = `${of.method} ${masked(of.url)}`
  const { request, response, ...ends } = factsOf(of)
  const outcome = comparable(ends)
  return { of, shape, outcome, words: `${shape} ${outcome} ${comparable({ request, response })}` }
}

function factsOf(exchange: ExchangeView) {
  const { url, body: request, answer } = exchange
  const code = answer?.cut ? 'cut' : errorCodeIn(answer?.body)
  const status = [answer?.status, code].filter((part) => part !== undefined).join(' ')
  // Control responses hold heights and times, which no client reads.
  const response = url.startsWith('/_sim') ? undefined : answer?.body
  return { status, activity: executionOf(exchange)?.status, request, response }
}

/** How much speaks for a pair: the bodies, the outcome, or only the request; 0 forbids it. */
function likeness(one: Traced, other: Traced): number {
  if (one.shape !== other.shape) return 0
  return one.words === other.words ? 4 : one.outcome === other.outcome ? 3 : 2
}

/** The pairs with the most likeness altogether, in the order of both lists. The rest stands alone. */
function aligned(ones: readonly Traced[], others: readonly Traced[]) {
  const width = others.length + 1
  const best = new Uint16Array((ones.length + 1) * width)
  const at = (i: number, j: number): number => best[i * width + j]!
  for (let i = ones.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--) {
      const like = likeness(ones[i]!, others[j]!)
      const paired = like === 0 ? 0 : like + at(i + 1, j + 1)
      best[i * width + j] = Math.max(paired, at(i + 1, j), at(i, j + 1))
    }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < ones.length || j < others.length; ) {
    const [one, other] = [ones[i], others[j]]
    const like = one && other ? likeness(one, other) : 0
    if (like > 0 && at(i, j) === like + at(i + 1, j + 1)) {
      pairs.push([one, other])
      i++
      j++
    } else if (one && (!other || at(i, j) === at(i + 1, j))) pairs.push([ones[i++], undefined])
    else pairs.push([undefined, others[j++]])
  }
  return pairs
}

/** Ids, hashes, addresses, signatures and times differ from world to world. */
const drawn = /\b[a-z]{2,3}_[0-9A-Za-z]{6,32}\b|\b0x[0-9a-f]+|\b\d{4}-\d\d-\d\dT[\d:.]+Z?/gi
const timeField = /(?:_at|_ms|expiry|expires|deadline|time|timestamp)$/

const masked = (text: string): string => text.replaceAll(drawn, '…')

/** The values in a body by their paths, such as `details.version`. */
function fieldsOf(body: unknown, path = ''): [path: string, value: string][] {
  if (body === undefined) return []
  if (typeof body !== 'object' || body === null) return [[path, `${body}`]]
  return Object.entries(body).flatMap(([name, part]) =>
    fieldsOf(part, path === '' ? name : `${path}.${name}`),
  )
}

const comparableField = ([path, value]: [path: string, value: string]): string =>
  timeField.test(path) ? '…' : masked(value)

const comparable = (body: unknown): string =>
  fieldsOf(body)
    .map((field) => `${field[0]}=${comparableField(field)}`)
    .join(' ')

/** The fields that differ by more than ids and times, each with its value in either body, if it is there. */
export function differencesOf(one: unknown, other: unknown) {
  const [ones, others] = [one, other].map((body) => new Map(fieldsOf(body)))
  return [...new Set([...ones!.keys(), ...others!.keys()])].flatMap((path) => {
    const values = [ones!, others!].map((fields) => fields.get(path))
    const [a, b] = values.map((value) => value && comparableField([path, value]))
    return a === b ? [] : [{ path, values }]
  })
}

const shortened = (value = 'absent'): string =>
  value.length > 48 ? `${value.slice(0, 47)}…` : value

/** What differs at a step, in one line, for worlds of these names. */
export function differenceText({ one, other }: ComparedStep, [here, there]: readonly string[]) {
  if (!one || !other) {
    const { method, url } = (one ?? other)!
    return `Only ${one ? here : there} has ${method} ${url}.`
  }
  const [first, ...more] = differencesOf(factsOf(one), factsOf(other))
  const [a, b] = first!.values.map(shortened)
  const others = more.length > 0 ? `, and ${counted(more.length, 'other field')}` : ''
  return `${first!.path}: ${a} in ${here}, ${b} in ${there}${others}.`
}
