import type { Why } from '../../observe/journal/whySchema.js'
import { textOfWhy } from '../../observe/journal/whyText.js'

/** Where a simulator or a world of it is; what `createSimulator` and `leaseWorld` give is one. */
export interface WatchedSimulator {
  controlUrl: string
  /** Chooses the world. */
  apiKey: string
}

/** Everything that happened to one account, plan, activity or intent, as `svc-sim why` prints it. */
export interface Timeline {
  id: string
  text: string
  /** Its last line alone: what became of it. */
  now: string
}

/** What is asked of a simulator from a moment on. */
export interface JournalWatch {
  /**
   * The timeline of each account that requests since then have touched, with its plans, activities and intents, in the order in which
   * they turned up; an id that belongs to no account has one of its own. For the report of a test that failed. Ask before a restore.
   */
  timelines(): Promise<Timeline[]>
}

/** More than a reader of a report wants; those that turned up last count. */
const maxTimelines = 20

/** So many ids are looked up, the latest ones. */
const maxIds = 200

/** Watches from now on. */
export async function watchJournal(sim: WatchedSimulator): Promise<JournalWatch> {
  const { cursor } = await ask<JournalPage>(sim, '/journal?limit=1')
  return { timelines: () => timelinesSince(sim, cursor) }
}

/** The timelines of the accounts and ids that requests after this journal cursor named; 0 is the start of the journal. */
export async function timelinesSince(sim: WatchedSimulator, cursor: number): Promise<Timeline[]> {
  const found = new Map<string, Timeline>()
  for (const asked of (await idsSince(sim, cursor)).slice(-maxIds)) {
    const part = await whyOf(sim, asked)
    const id = part?.related.account_id ?? asked
    // An id that was only asked for, or is gone with a restore, has no timeline.
    const whole = part && !found.has(id) && (id === asked ? part : await whyOf(sim, id))
    if (whole) found.set(id, { id, text: textOfWhy(whole), now: whole.now })
  }
  return [...found.values()].slice(-maxTimelines)
}

function whyOf(sim: WatchedSimulator, id: string): Promise<Why | undefined> {
  return ask<Why>(sim, `/why/${id}`).catch(() => undefined)
}

async function idsSince(sim: WatchedSimulator, since: number): Promise<string[]> {
  const ids = new Set<string>()
  for (let cursor = since; ; ) {
    const page = await ask<JournalPage>(sim, `/journal?since=${cursor}&limit=1000`)
    for (const [id] of JSON.stringify(page.exchanges).matchAll(
      /\b(?:acc|pln|act|qi)_[0-9A-Za-z]{12,32}\b/g,
    ))
      ids.add(id)
    if (page.exchanges.length < 1_000) return [...ids]
    cursor = page.cursor
  }
}

type JournalPage = { exchanges: readonly unknown[]; cursor: number }

async function ask<Body>({ controlUrl, apiKey }: WatchedSimulator, path: string): Promise<Body> {
  const response = await fetch(`${controlUrl}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (!response.ok) throw new Error(`GET ${controlUrl}${path}: ${await response.text()}`)
  return (await response.json()) as Body
}
