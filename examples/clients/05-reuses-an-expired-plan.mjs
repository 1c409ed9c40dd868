// The plan was good a moment ago, so one more try will do.
import {
  activityOf,
  dollars,
  follow,
  gift,
  makePlan,
  openAccount,
  send,
  sleep,
} from './support.mjs'

const account = await openAccount(dollars)
let plan = await makePlan(account, 'transfer', gift)
let activityId
for (let tries = 0; tries < 12 && activityId === undefined; tries++) {
  const answer = await send(account, plan)
  if (answer.status === 200) activityId = answer.body.activity_id
  else activityId = (await activityOf(account, plan))?.activity_id
  if (answer.status === 409) plan = await makePlan(account, 'transfer', gift)
  await sleep(Math.max(answer.retryAfter * 1_000, 20))
}
if (activityId === undefined) throw new Error('the plan cannot be executed')
await follow(account, activityId)
