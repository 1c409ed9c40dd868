// There is one type of event, and anything else is a bug.
import { attempt, carryOut, dollars, gift, openAccount, sleep } from './support.mjs'

const handlers = { activity_updated: ({ data }) => [data.activity_id, data.activity_status] }

const account = await openAccount(dollars)
const activityId = await carryOut(account, 'transfer', gift)
let cursor = 0
let hasEnded = false
for (let polls = 0; !hasEnded; polls++) {
  if (polls === 60) throw new Error(`${activityId} does not end`)
  const page = await attempt('GET', `${account.path}/events?since=${cursor}&poll=true`, undefined, {
    timeoutMs: 30_000,
  })
  if (page.status !== 200) {
    await sleep(Math.max(page.retryAfter * 1_000, 50))
    continue
  }
  cursor = page.body.cursor
  for (const event of page.body.events) {
    const [id, status] = handlers[event.event_type](event)
    if (id === activityId && status === 'confirmed') hasEnded = true
  }
}
