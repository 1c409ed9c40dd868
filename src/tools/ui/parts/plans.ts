import { computed } from '@preact/signals'
import { assets } from '../api/assets.js'
import { endedPlans, exchanges, isPresent, now, overview } from '../api/live.js'
import { executionOf, planTitle } from './planned.js'

export const titleOf = (request: Parameters<typeof planTitle>[0]): string | undefined =>
  planTitle(request, (symbol) => assets.value[symbol]?.decimals)

export const knownPlans = computed(() => {
  const all = exchanges.value
  const present = all.filter(({ cursor }) => isPresent(cursor))
  const executions = new Map(
    present.flatMap((each) => executionOf(each) ?? []).map((each) => [each.plan_id, each]),
  )
  const made = all.flatMap((exchange) => {
    const title = titleOf(exchange)
    const made = exchange.notes.find(({ type }) => type === 'plan')
    if (title === undefined || !made) return []
    const [plan_id, account_id] = [`${made.plan_id}`, `${made.account_id}`]
    const { cursor } = exchange
    return [{ plan_id, account_id, title, at: made.at, cursor, execution: executions.get(plan_id) }]
  })
  // Those that a data folder kept, or whose request the journal has dropped.
  const known = new Set(made.map(({ plan_id }) => plan_id))
  const older = (overview.value?.plans ?? []).filter(({ plan_id }) => !known.has(plan_id))
  const told = older.map(({ plan_id, account_id, kind: title, created_at: at }) => {
    return { plan_id, account_id, title, at, cursor: 0, execution: executions.get(plan_id) }
  })
  return [...made, ...told.reverse()]
})

export const titleById = (id: string | undefined): string | undefined =>
  knownPlans.value.find(({ plan_id }) => plan_id === id)?.title

/** Seconds in which a plan can be executed. */
export const planLife = 120

/** `open`, `executed`, or how it ended without having been executed. */
export function stateOf(plan: (typeof knownPlans.value)[number]): string {
  const { plan_id, at, cursor, execution } = plan
  if (cursor > 0 && !isPresent(cursor)) return 'gone'
  const ended = execution ? 'executed' : endedPlans.value.get(plan_id)
  if (ended) return ended
  return ((now.value ?? 0) - Date.parse(at)) / 1000 >= planLife ? 'expired' : 'open'
}
