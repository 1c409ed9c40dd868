import { journalBounds, type Mark } from './journal.js'
import { momentsOfActivity } from './moments.js'
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
  const held = executions.map(async ({ activity: { accountId, activityId } }) => {
    const activity = await sources.store.activity(accountId, activityId)
    if (!activity) return []
    const moments = await momentsOfActivity(activity, sources)
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
