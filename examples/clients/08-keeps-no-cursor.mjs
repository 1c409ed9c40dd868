// All events each time: simpler than a cursor.
import { attempt, carryOut, dollars, gift, openAccount, sleep } from './support.mjs'

const account = await openAccount(dollars)
const activityId = await carryOut(account, 'transfer', gift)
for (let polls = 0; ; polls++) {
  if (polls === 200) throw new Error(`${activityId} does not end`)
  const page = await attempt('GET', `${account.path}/events?poll=true`, undefined, {
    timeoutMs: 30_000,
  })
  const events = page.status === 200 ? page.body.events : []
  if (
    events.some(
      ({ data }) => data.activity_id === activityId && data.activity_status === 'confirmed',
    )
  )
    break
  await sleep(Math.max(page.retryAfter * 1_000, 50))
}
