export interface Found {
  title: string
  path: readonly string[]
  query?: Record<string, string>
}

/** What can be found by a part of its name, besides what the text says by itself. */
export interface Findable {
  pages: readonly { name: string; title: string; isLinked?: true }[]
  networks: readonly { network: string; height: number | null }[]
  rules: readonly string[]
  codes: readonly string[]
  /** Fault effects: `plan.stale`. */
  effects: readonly string[]
  /** Tokens and contracts by address, each on a network. */
  addresses: readonly { name: string; address: string; network: string }[]
}

const actions: readonly [does: string, ...path: string[]][] = [
  ['Advance, freeze or resume the clock', 'overview'],
  ['Change a price', 'overview'],
  ['Take or restore a snapshot', 'overview'],
  ['Reset everything', 'overview'],
  ['Connect a client', 'overview'],
  ['Create an account', 'accounts'],
  ['Fund an account', 'accounts'],
  ['Make, sign and execute a plan', 'plan'],
  ['List all plans', 'plans'],
  ['Save requests as a test', 'journal'],
  ['Resend a request', 'journal'],
  ['Arm a fault', 'faults'],
  ['Run a scenario', 'scenarios'],
  ['Compare worlds', 'worlds'],
]

const maxOfAKind = 6

/** What a text says by itself: an id, a hash, a block; and what has it in its name. */
export function foundAtOnce(text: string, known: Findable): Found[] {
  if (text === '') return []
  if (/^(acc|pln|act|qi|req)_[0-9A-Za-z]{12,32}$/.test(text))
    return [{ title: `Timeline of ${text}`, path: ['timeline', text] }]
  if (/^0x[0-9a-fA-F]{64}$/.test(text))
    return [{ title: `Transaction ${text}`, path: ['transaction', text] }]
  const wanted = text.toLowerCase()
  const has = (name: string): boolean => name.toLowerCase().includes(wanted)
  const pages = new Set(known.pages.map(({ name }) => name))
  const [, number] = /^(?:block )?(\d{1,12})$/i.exec(text) ?? []
  // Before the documents are loaded, any text that looks like a code counts as one.
  const isCode = /^[a-z]+(_[a-z]+)+$/.test(text)
  const kinds: Found[][] = [
    known.pages
      .filter(({ title, isLinked }) => !isLinked && has(title))
      .map(({ name, title }) => ({ title: `Page ${title}`, path: [name] })),
    known.networks
      .filter(({ network }) => has(network))
      .map(({ network }) => ({ title: `Network ${network}`, path: ['chain', network] })),
    known.networks
      .filter(({ height }) => number !== undefined && Number(number) <= (height ?? 0))
      .map(({ network }) => ({
        title: `Block ${number} of ${network}`,
        path: ['chain', network, number!],
      })),
    known.rules
      .filter(has)
      .map((id) => ({ title: `Fault rule ${id}: what it hit`, path: ['timeline', id] })),
    (known.codes.length === 0 && isCode ? [text] : known.codes).filter(has).map((code) => ({
      title: `Requests refused with ${code}`,
      path: ['journal'],
      query: { path: code },
    })),
    known.addresses
      .filter(({ name, address }) => has(name) || address.toLowerCase() === wanted)
      .map(({ name, address, network }) => ({
        title: `${name} on ${network}, ${address}`,
        path: ['chain', network],
      })),
    known.effects
      .filter((name) => pages.has('faults') && has(name))
      .map((name) => ({ title: `Fault ${name}`, path: ['faults', ...name.split('.')] })),
    actions
      .filter(([does, page]) => pages.has(page!) && has(does))
      .map(([title, ...path]) => ({ title, path })),
  ]
  return kinds.flatMap((items) => items.slice(0, maxOfAKind))
}
