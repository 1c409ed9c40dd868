import { computed } from '@preact/signals'
import { assets } from '../api/assets.js'
import { exchanges, now, overview } from '../api/live.js'
import { executionOf, planTitle } from './planned.js'

/** `Earn 50.00 USDC` of a request for a plan; undefined for any other request. */
export const titleOf = (request: Parameters<typeof planTitle>[0]): string | undefined =>
  planTitle(request, (symbol) => assets.value[symbol]?.decimals)

/** The plans among the requests that the page has, newest first. */
export const knownPlans = computed(() => {
  const all = exchanges.value
  const executions = new Map(
    all.flatMap((each) => executionOf(each) ?? []).map((each) => [each.plan_id, each]),
  )
  // Why their time was over early.
  const ended = new Map(
    all.flatMap(({ notes }) =>
      notes.flatMap(({ type, plan_id, changed }) =>
        type === 'stale' ? [[plan_id, changed === 'expiry' ? 'expired' : 'stale'] as const] : [],
      ),
    ),
  )
  return all.flatMap((exchange) => {
    const title = titleOf(exchange)
    const made = exchange.notes.find(({ type }) => type === 'plan')
    if (title === undefined || !made) return []
    const [plan_id, account_id] = [`${made.plan_id}`, `${made.account_id}`]
    const [execution, end] = [executions.get(plan_id), ended.get(plan_id)]
    return [{ plan_id, account_id, title, at: made.at, execution, ended: end }]
  })
})

export const titleById = (id: string | undefined): string | undefined =>
  knownPlans.value.find(({ plan_id }) => plan_id === id)?.title

/** Seconds in which a plan can be executed. */
export const planLife = 120

/** `executed`, `stale`, `expired`, `open`, or `gone`: a reset or restore took it away, or a fault ended it. */
export function stateOf(plan: (typeof knownPlans.value)[number]): string {
  const { plan_id, at, execution, ended } = plan
  if (execution) return 'executed'
  if (ended) return ended
  const age = ((now.value ?? 0) - Date.parse(at)) / 1000
  if (age >= planLife) return 'expired'
  const known = overview.value?.plans.find((each) => each.plan_id === plan_id)
  return known ? (known.is_stale ? 'stale' : 'open') : 'gone'
}
