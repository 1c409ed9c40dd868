// Has the payment gone through? The balance tells. Amounts are numbers, after all.
import { follow, friend, makePlan, openAccount, patiently, send, sleep } from './support.mjs'

const account = await openAccount([
  { asset: 'WETH', amount: '5000000000000000000', network: 'base' },
])
const gift = { asset: 'WETH', amount: '1234567890123456789', network: 'base', recipient: friend }

async function balance() {
  const { folio } = (await patiently('GET', `${account.path}/folio`)).body
  const [, text] = Object.entries(folio.balances).find(([name]) => name.includes('/base/WETH/'))
  const [number, decimals] = text.split('e')
  return Number(number) * 10 ** Number(decimals)
}

const before = await balance()
const isPaid = async () => before - (await balance()) === Number(gift.amount)
let activityId
for (let tries = 0; tries < 8 && activityId === undefined; tries++) {
  const plan = await makePlan(account, 'transfer', gift)
  const answer = await send(account, plan)
  if (answer.status === 200) activityId = answer.body.activity_id
  else if (await isPaid()) break
  else await sleep(Math.max(answer.retryAfter * 1_000, 50))
}
if (activityId !== undefined) await follow(account, activityId)
