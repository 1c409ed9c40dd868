import { execFileSync } from 'node:child_process'
import createClient from 'openapi-fetch'
import type { components, paths } from './generated.js'

const { SVC_BASE_URL, SVC_API_KEY, HAND } = process.env as Record<string, string>
const hand = (...args: string[]) => execFileSync('node', [HAND!, ...args], { encoding: 'utf8' })
const client = createClient<paths>({
  baseUrl: SVC_BASE_URL!,
  headers: { authorization: `Bearer ${SVC_API_KEY}` },
})

async function data<T>(
  call: Promise<{ data?: T; error?: components['schemas']['Error'] }>,
): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new Error(`${error?.error}: ${error?.message}`)
  return data
}

const { account_id } = await data(
  client.POST('/accounts', {
    body: { signer_type: 'eoa', signer_address: hand('signer') },
  }),
)
hand('fund', account_id)
const params = { path: { account_id } }

async function carryOut(name: string, made: Promise<components['schemas']['Plan']>): Promise<void> {
  const { plan_id, details } = await made
  const signature = hand('sign', details.eip712_data.digest)
  const body = { plan_id, signature }
  const { activity_id } = await data(
    client.POST('/accounts/{account_id}/plan/execute', { params, body }),
  )
  let cursor = 0
  for (;;) {
    const query = { since: cursor, poll: true }
    const page = await data(
      client.GET('/accounts/{account_id}/events', { params: { ...params, query } }),
    )
    cursor = page.cursor
    const activity = await data(
      client.GET('/activities/{activity_id}', { params: { path: { activity_id } } }),
    )
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

const usdc = { asset: 'USDC', network: 'base' } as const
await carryOut(
  'earn',
  data(
    client.POST('/accounts/{account_id}/plan/earn', {
      params,
      body: { ...usdc, amount: '2000000', protocol: 'compound' },
    }),
  ),
)
await carryOut(
  'swap',
  data(
    client.POST('/accounts/{account_id}/plan/swap', {
      params,
      body: { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '3000000' },
    }),
  ),
)
await carryOut(
  'bridged earn',
  data(
    client.POST('/accounts/{account_id}/plan/earn', {
      params,
      body: { ...usdc, amount: '15000000', protocol: 'compound' },
    }),
  ),
)
const { error } = await client.POST('/accounts/{account_id}/plan/earn', {
  params,
  body: { ...usdc, amount: '900000000000', protocol: 'compound' },
})
if (error?.error !== 'plan_failed') throw new Error(`not refused: ${JSON.stringify(error)}`)
const { activities } = await data(client.GET('/accounts/{account_id}/activities', { params }))
const { folio } = await data(client.GET('/accounts/{account_id}/folio', { params }))
const weth = Object.keys(folio.balances).filter((key) => key.startsWith('token/base/WETH/'))
console.log(`done: ${activities.length} activities, WETH ${weth.map((key) => folio.balances[key])}`)
if (weth.length !== 1) throw new Error('no WETH in the folio')
