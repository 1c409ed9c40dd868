import { execFileSync } from 'node:child_process'
import { client } from './generated/client.gen.js'
import * as svc from './generated/index.js'

const { SVC_BASE_URL, SVC_API_KEY, HAND } = process.env as Record<string, string>
const hand = (...args: string[]) => execFileSync('node', [HAND!, ...args], { encoding: 'utf8' })
client.setConfig({ baseUrl: SVC_BASE_URL!, auth: SVC_API_KEY! })

type Answer<T> = { data?: T; error?: svc.Error }
async function data<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new Error(`${error?.error}: ${error?.message}`)
  return data
}

const { account_id } = await data(
  svc.createAccount({ body: { signer_type: 'eoa', signer_address: hand('signer') } }),
)
hand('fund', account_id)
const path = { account_id }

async function carryOut(name: string, made: Promise<svc.Plan>): Promise<void> {
  const { plan_id, details } = await made
  const signature = hand('sign', details.eip712_data.digest)
  const { activity_id } = await data(svc.executePlan({ path, body: { plan_id, signature } }))
  let since = 0
  for (;;) {
    const page = await data(svc.listEvents({ path, query: { since, poll: true } }))
    since = page.cursor
    const activity = await data(svc.getActivity({ path: { activity_id } }))
    if (activity.activity_status === 'pending') continue
    if (activity.activity_status === 'failed') throw new Error(`${name} failed`)
    const actions = activity.executions.flatMap(({ actions }) => actions)
    console.log(
      name,
      activity.svc_intent?.intent_type,
      actions.map((each) => each.action_type).join(),
    )
    return
  }
}

const earn = (amount: string) =>
  svc.planEarn({ path, body: { asset: 'USDC', network: 'base', amount, protocol: 'compound' } })
await carryOut('earn', data(earn('2000000')))
await carryOut(
  'swap',
  data(
    svc.planSwap({
      path,
      body: { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '3000000' },
    }),
  ),
)
await carryOut('bridged earn', data(earn('15000000')))
const { error } = await earn('900000000000')
if (error?.error !== 'plan_failed') throw new Error(`not refused: ${JSON.stringify(error)}`)
const { activities } = await data(svc.listActivities({ path }))
const { folio } = await data(svc.getFolio({ path }))
const weth = Object.keys(folio.balances).filter((key) => key.startsWith('token/base/WETH/'))
if (weth.length !== 1) throw new Error('no WETH in the folio')
console.log(`done: ${activities.length} activities, WETH ${folio.balances[weth[0]!]}`)
