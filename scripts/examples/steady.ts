/** What is not the same in every recording, made so; and what is too long for a document, shortened. */

/** Of the machine: its time, its processes, its folders. */
const ofMachine: Record<string, unknown> = {
  leased_at: '2026-01-05T09:00:00Z',
  lease_until: '2026-01-05T09:02:00Z',
  duration_ms: 640,
  process: 4242,
  startedIn: '/home/me/project',
}

const runningClock = { now: '2026-03-01T00:00:00Z', unix_ms: 1772323200000 }

/** The value with what differs from run to run replaced. Ids and keys of worlds are random, as is the first part of a stream's ids. */
export function steady<T>(value: T): T {
  if (typeof value === 'string')
    return value
      .replace(/\bwld_[0-9a-z]{12}\b/g, 'wld_5t0p9x2m4k1c')
      .replace(/\bqk_(?!local0)[0-9a-z]{6}_[0-9a-z]{20,}\b/g, 'qk_3f9a1c_0b7e5d2c8a4f6e1d3b9c')
      .replace(/^id: [0-9a-f]+-\d+$/m, 'id: 5f0c1d2e-17')
      .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:4477') as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(steady) as T
  const running = 'mode' in value && value.mode === 'real' && runningClock
  // Or each new version of the package would be a new recording.
  const index = 'startedIn' in value && { version: '0.1.0' }
  return Object.fromEntries(
    Object.entries({ ...value, ...running, ...index }).map(([key, inside]) => [
      steady(key),
      key in ofMachine ? ofMachine[key] : steady(inside),
    ]),
  ) as T
}

/** The same with the first two of each list, and of each table whose keys are data. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isTable = entries.length > 2 && entries.every(([key]) => /^[A-Z]|[/ ]/.test(key))
  return Object.fromEntries(
    (isTable ? entries.slice(0, 2) : entries).map(([key, inside]) => [key, shortened(inside)]),
  )
}
