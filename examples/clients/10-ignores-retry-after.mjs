// A refusal that passes is tried again after 100 ms, whatever the header says.
import { attempt, carryOut, dollars, follow, gift, openAccount, passes, sleep } from './support.mjs'

const account = await openAccount(dollars)
let balance
for (let tries = 0; balance === undefined && tries < 30; tries++) {
  const answer = await attempt('GET', `${account.path}/folio`)
  if (answer.status === 200) balance = answer.body.folio.balances
  else if (passes(answer)) await sleep(100)
}
await follow(account, await carryOut(account, 'transfer', gift))
