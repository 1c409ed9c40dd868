import { textOfWhy } from '../../observe/journal/whyText.js'
import {
  answerOf,
  type ControlClient,
  createControl,
  journalSince,
} from '../control/controlClient.js'

/** The address of a simulator or world; `createSimulator` and `leaseWorld` return one. */
export interface WatchedSimulator {
  controlUrl: string
  /** The API key, which selects the world. */
  apiKey: string
}

/** Everything that happened to one account, plan, activity or intent, as `svc-sim why` prints it. */
export interface Timeline {
  id: string
  text: string
  /** Its last line alone: what became of it. */
  now: string
}

/** Watches the requests to a simulator. */
export interface JournalWatch {
  /** The journal cursor from which it watches. */
  since: number
  /**
   * The timeline of each account that requests have touched since then, with its plans, activities and intents, in order of appearance. Ids
   * that belong to no account have their own timeline. For the report of a failed test; call it before a restore.
   */
  timelines(): Promise<Timeline[]>
}

/** More than a reader of a report wants; those that turned up last count. */
const maxTimelines = 20

/** So many ids are looked up, the latest ones. */
const maxIds = 200

/** Watches from now on. */
export async function watchJournal(sim: WatchedSimulator): Promise<JournalWatch> {
  const query = { limit: 1 }
  const { cursor } = await answerOf(controlOf(sim).GET('/journal', { params: { query } }))
  return { since: cursor, timelines: () => timelinesSince(sim, cursor) }
}

/** The timelines of the accounts and ids that requests after this journal cursor named; 0 is the start of the journal. */
export async function timelinesSince(sim: WatchedSimulator, cursor: number): Promise<Timeline[]> {
  const control = controlOf(sim)
  // An id that was only asked for, or is gone with a restore, has no timeline.
  const whyOf = (id: string) =>
    answerOf(control.GET('/why/{id}', { params: { path: { id } } })).catch(() => undefined)
  const timelines = new Map<string, Timeline>()
  const gone = new Set<string>()
  for (const [named, account] of (await idsSince(control, cursor)).slice(-maxIds)) {
    // A restore has undone it with its account, whose timeline has it.
    if (account !== undefined && gone.has(account)) continue
    const part = await whyOf(named)
    const id = part?.related.account_id ?? named
    const whole = part && !timelines.has(id) && (id === named ? part : await whyOf(id))
    if (!whole) continue
    timelines.set(id, { id, text: textOfWhy(whole), now: whole.now })
    if (whole.verdict.outcome === 'gone') gone.add(id)
  }
  return [...timelines.values()].slice(-maxTimelines)
}

/** Each id that requests named, with the account whose path named it. */
async function idsSince(control: ControlClient, since: number) {
  const { exchanges } = await journalSince(control, since)
  const accounts = new Map<string, string | undefined>()
  for (const exchange of exchanges) {
    const [account] = /(?<=^\/accounts\/)acc_\w+/.exec(exchange.url) ?? []
    const ids = JSON.stringify(exchange).matchAll(/\b(?:acc|pln|act|qi)_[0-9A-Za-z]{12,32}\b/g)
    for (const [id] of ids) accounts.set(id, accounts.get(id) ?? account)
  }
  return [...accounts]
}

function controlOf({ controlUrl, apiKey }: WatchedSimulator): ControlClient {
  return createControl(controlUrl, apiKey)
}
