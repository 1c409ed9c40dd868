// No answer to an execution? Then it has not happened, so plan and execute again.
import { dollars, follow, gift, makePlan, openAccount, passes, send, sleep } from './support.mjs'

const account = await openAccount(dollars)
let activityId
for (let tries = 0; tries < 8 && activityId === undefined; tries++) {
  const plan = await makePlan(account, 'transfer', gift)
  const answer = await send(account, plan)
  if (answer.status === 200) activityId = answer.body.activity_id
  else if (passes(answer)) await sleep(Math.max(answer.retryAfter * 1_000, 50))
}
await follow(account, activityId)
