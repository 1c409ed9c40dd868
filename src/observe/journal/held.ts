import { type Journal, journalBounds, type Mark, noteOf, type RecordedRequest } from './journal.js'
import { livesOf } from './lives.js'
import { momentsIn } from './moments.js'
import type { HeldBy } from './verdict.js'
import type { WhySources } from './whySchema.js'

type Sources = Pick<
  WhySources,
  'journal' | 'store' | 'book' | 'rules' | 'switches' | 'expectedFill' | 'nowMs'
>

/** What holds the newest executions under way, for the restore or reset that is about to end them. */
export async function heldActivities(sources: Sources): Promise<NonNullable<Mark['held']>> {
  const executions = (await sources.store.executions()).slice(-journalBounds.notes)
  if (executions.length === 0) return {}
  const { activityVerdict } = await import('./activityVerdict.js')
  const ids = new Set(executions.map(({ activity }) => activity.activityId))
  const moments = await momentsIn(requestsOf(ids, sources.journal), sources)
  const held = executions.map(async ({ activity: { accountId, activityId } }) => {
    const activity = await sources.store.activity(accountId, activityId)
    if (!activity) return []
    const { faults, waiting } = activityVerdict(activity, moments, {
      ...sources,
      unread: new Map(),
    })
    const rules = [...faults, ...(waiting?.standing ?? [])].map(({ rule, effect, carried }) => ({
      ...{ rule, effect, text: `${rule} (${effect}) held it` },
      ...(carried && { carried }),
    }))
    const by: HeldBy = { faults: rules, ...(waiting?.switched && { switched: waiting.switched }) }
    return rules.length > 0 || by.switched ? [[activityId, by] as const] : []
  })
  return Object.fromEntries((await Promise.all(held)).flat())
}

/** The requests of the present line that executed them. */
function requestsOf(activityIds: ReadonlySet<string>, journal: Journal): RecordedRequest[] {
  const { undoneBy } = livesOf(journal.marks())
  return journal.all().filter(({ notes }) =>
    notes.some((timed) => {
      if (!timed.text.startsWith('{"type":"activity"') || undoneBy(timed.order)) return false
      const note = noteOf(timed)
      return note.type === 'activity' && activityIds.has(note.activity_id)
    }),
  )
}
