import { batch, signal } from '@preact/signals'
import { world } from '../api/session.js'

/** Where in the dashboard a person is: the part of the URL behind `#`. */
export interface Here {
  /** `['accounts', 'acc_...']`. */
  path: readonly string[]
  query: URLSearchParams
}

export const here = signal<Here>({ path: [], query: new URLSearchParams() })

function read(): void {
  readFrom = location.hash
  const [path = '', query] = readFrom.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter((part) => part !== '')
  batch(() => {
    here.value = { path: parts.map(decoded), query: new URLSearchParams(query) }
    world.value = here.value.query.get('world') ?? undefined
  })
}

/** A typed URL may hold malformed escapes. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function href(path: readonly string[], query: Record<string, string> = {}): string {
  return hrefIn(world.value, path, query)
}

/** The URL of a place in some world; of the default world when `id` is undefined. */
export function hrefIn(
  id: string | undefined,
  path: readonly string[],
  query: Record<string, string> = {},
): string {
  const words = Object.entries({ ...query, world: id ?? '' }).filter(([, word]) => word !== '')
  const all = new URLSearchParams(words)
  const search = all.size > 0 ? `?${all}` : ''
  return `#/${path.map(encodeURIComponent).join('/')}${search}`
}

export function go(path: readonly string[], query?: Record<string, string>): void {
  location.hash = href(path, query)
}

let readFrom = ''

/**
 * Goes there in the place of where one is: the way back does not lead here again. Somebody who is on the way to another page already
 * is not brought back.
 */
export function goInstead(path: readonly string[], query: Record<string, string> = {}): void {
  if (location.hash !== readFrom) return
  const url = href(path, query)
  here.value = { path, query: new URLSearchParams(url.split('?')[1]) }
  // Browsers refuse to change the URL hundreds of times in a row; the page goes on.
  try {
    history.replaceState(null, '', url)
  } catch {}
  readFrom = location.hash
}

/** A parameter of the URL, which survives reloads and is part of links; empty when it is absent. */
export function useQuery(name: string): [string, (value: string) => void] {
  const { query } = here.value
  const set = (value: string): void => {
    const { path, query } = here.peek()
    const { world: _, ...others } = Object.fromEntries(query)
    goInstead(path, { ...others, [name]: value })
  }
  return [query.get(name) ?? '', set]
}

addEventListener('hashchange', read)
read()

// `/_sim/worlds/ID/ui/` is the same page, which names its world behind `#`.
const [, above, ofWorld] = /^(.*\/)worlds\/([^/]+)\/ui\/$/.exec(location.pathname) ?? []
if (ofWorld !== undefined) {
  const { path, query } = here.value
  const place = hrefIn(world.value ?? ofWorld, path, Object.fromEntries(query))
  history.replaceState(null, '', `${above}ui/${place}`)
  read()
}
