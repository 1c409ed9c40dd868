// What the clients of this folder share: requests, retries, and a careful way to carry a plan out.
import { privateKeyToAddress, sign } from 'viem/accounts'

const base = process.env.SVC_BASE_URL
const apiKey = process.env.SVC_API_KEY
const control = process.env.SVC_CONTROL_URL

export const key = `0x${'5'.repeat(64)}`
export const friend = '0x00000000000000000000000000000000000f41e7'

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** One request. Throws when no whole answer comes in time. */
export async function request(method, path, body, { timeoutMs = 2_000 } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: timeoutMs === Infinity ? undefined : AbortSignal.timeout(timeoutMs),
  })
  const retryAfter = Number(response.headers.get('retry-after') ?? 0)
  return { status: response.status, body: await response.json(), retryAfter }
}

/** Whether asking again may help: no answer (0), 408, 422, 429 and 5xx. */
export const passes = ({ status }) => [0, 408, 422, 429].includes(status) || status >= 500

export const attempt = (...request_) =>
  request(...request_).catch((error) => ({
    status: 0,
    body: { error: error.message },
    retryAfter: 0,
  }))

/** A request that may be sent twice without harm, until it is answered. */
export async function patiently(method, path, body, options) {
  for (let tries = 1; ; tries++) {
    const answer = await attempt(method, path, body, options)
    if (!passes(answer) || tries === 10) return answer
    await sleep(Math.max(answer.retryAfter * 1_000, Math.min(20 * 2 ** tries, 500)))
  }
}

/** The sub-account of the key: made, or found when the answer to that was lost. */
export async function openAccount(funds) {
  const signer = privateKeyToAddress(key)
  const made = await patiently('POST', '/accounts', { signer_type: 'eoa', signer_address: signer })
  let account = made.body
  if (made.status === 409) {
    const { accounts } = (await patiently('GET', '/accounts')).body
    account = accounts.find((each) => each.signer_address.toLowerCase() === signer.toLowerCase())
  } else if (made.status !== 201) throw new Error(`no account: ${made.status}`)
  for (const fund of funds)
    await fetch(`${control}/fund`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account_id: account.account_id, ...fund }),
    })
  return { ...account, path: `/accounts/${account.account_id}` }
}

export async function makePlan(account, kind, intent) {
  const answer = await patiently('POST', `${account.path}/plan/${kind}`, intent)
  if (answer.status !== 201) throw new Error(`no plan: ${answer.status} ${answer.body.error}`)
  return answer.body
}

/** Signs a plan and sends it off, once. */
export async function send(account, plan, options) {
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: key, to: 'hex' })
  const body = { plan_id: plan.plan_id, signature }
  return attempt('POST', `${account.path}/plan/execute`, body, options)
}

/** The activity of a plan; undefined when it was not executed. */
export async function activityOf(account, plan) {
  const { status, body } = await patiently('GET', `${account.path}/activities`)
  if (status !== 200) throw new Error(`no activities: ${status}`)
  return body.activities.find((each) => each.plan_id === plan.plan_id)
}

/** Carries an intent out exactly once: after an answer that says neither yes nor no it looks, before it does anything again. */
export async function carryOut(account, kind, intent) {
  for (let plans = 0; plans < 6; plans++) {
    const plan = await makePlan(account, kind, intent)
    for (let tries = 0; tries < 6; tries++) {
      const answer = await send(account, plan)
      if (answer.status === 200 || answer.status === 202) return answer.body.activity_id
      const done = await activityOf(account, plan)
      if (done) return done.activity_id
      if (answer.status === 404 || answer.status === 409) break
      await sleep(Math.max(answer.retryAfter * 1_000, 50))
    }
  }
  throw new Error('no plan could be executed')
}

/** Waits until an activity has ended: events say when to look, the activity says what is. */
export async function follow(account, activityId) {
  let cursor = 0
  for (let polls = 0; polls < 60; polls++) {
    const { body } = await patiently('GET', `/activities/${activityId}`)
    if (body.activity_status === 'confirmed') return
    if (body.activity_status === 'failed') throw new Error(`${activityId} failed`)
    const page = await attempt(
      'GET',
      `${account.path}/events?since=${cursor}&poll=true`,
      undefined,
      { timeoutMs: 30_000 },
    )
    if (page.status === 200) cursor = page.body.cursor
    else await sleep(Math.max(page.retryAfter * 1_000, 50))
  }
  throw new Error(`${activityId} does not end`)
}

/** 5 USDC on base, and what most clients do with 2 of them. */
export const dollars = [{ asset: 'USDC', amount: '5000000', network: 'base' }]
export const gift = { asset: 'USDC', amount: '2000000', network: 'base', recipient: friend }
