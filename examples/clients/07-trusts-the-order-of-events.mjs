// The last event says how things stand.
import { attempt, carryOut, dollars, gift, openAccount, sleep } from './support.mjs'

const account = await openAccount(dollars)
const activityId = await carryOut(account, 'transfer', gift)
let cursor = 0
let status = 'pending'
for (let polls = 0; status !== 'confirmed'; polls++) {
  if (polls === 8) throw new Error(`${activityId} is ${status}, and no more events come`)
  const page = await attempt('GET', `${account.path}/events?since=${cursor}&poll=true`, undefined, {
    timeoutMs: 30_000,
  })
  if (page.status !== 200) {
    await sleep(Math.max(page.retryAfter * 1_000, 50))
    continue
  }
  cursor = page.body.cursor
  const own = page.body.events.filter(({ data }) => data.activity_id === activityId)
  if (own.length > 0) status = own.at(-1).data.activity_status
}
