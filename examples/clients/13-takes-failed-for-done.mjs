// An activity that has ended is done, however it ended.
import { carryOut, dollars, gift, openAccount, patiently, sleep } from './support.mjs'

const account = await openAccount(dollars)
const activityId = await carryOut(account, 'transfer', gift)
for (;;) {
  const { body } = await patiently('GET', `/activities/${activityId}`)
  if (body.activity_status === 'confirmed' || body.activity_status === 'failed') break
  await sleep(20)
}
