import type { Why } from '../../observe/journal/why.js'
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
}

/** What is asked of a simulator from a moment on. */
export interface JournalWatch {
  /**
   * The timeline of every id that was asked for or answered since then, whoever asked, in the order in which they turned up: for the
   * report of a test that failed. Ask before anything is taken back.
   */
  timelines(): Promise<Timeline[]>
}

/** More than a reader of a report wants; those that turned up last count. */
const maxTimelines = 20

/** Watches from now on. */
export async function watchJournal(sim: WatchedSimulator): Promise<JournalWatch> {
  const { cursor } = await ask<JournalPage>(sim, '/journal?limit=1')
  return {
    async timelines() {
      const found: Timeline[] = []
      for (const id of (await idsSince(sim, cursor)).slice(-maxTimelines)) {
        const why = await ask<Why>(sim, `/why/${id}`).catch(() => undefined)
        // What was only asked for, or is gone with a restore, has no timeline.
        if (why) found.push({ id, text: textOfWhy(why) })
      }
      return found
    },
  }
}

async function idsSince(sim: WatchedSimulator, since: number): Promise<string[]> {
  const ids = new Set<string>()
  for (let cursor = since; ; ) {
    const page = await ask<JournalPage>(sim, `/journal?since=${cursor}&limit=1000`)
    for (const [id] of JSON.stringify(page.exchanges).matchAll(
      /\b(?:acc|pln|act|qi)_[0-9a-z]{12}\b/g,
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
