// All events each time: simpler than a cursor.
import { attempt, carryOut, dollars, gift, openAccount, sleep } from './support.mjs'

const account = await openAccount(dollars)

async function hasEnded(activityId) {
  const path = `${account.path}/events?poll=true`
  const page = await attempt('GET', path, undefined, { timeoutMs: 30_000 })
  if (page.status !== 200) await sleep(Math.max(page.retryAfter * 1_000, 50))
  const events = page.status === 200 ? page.body.events : []
  return events.some(
    ({ data }) => data.activity_id === activityId && data.activity_status === 'confirmed',
  )
}

for (const amount of ['1000000', '1500000', '500000']) {
  const activityId = await carryOut(account, 'transfer', { ...gift, amount })
  let polls = 0
  while (!(await hasEnded(activityId)))
    if (polls++ === 200) throw new Error(`${activityId} does not end`)
}
