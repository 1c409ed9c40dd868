import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { send } from './http.mjs'

/** An account of its own, with what measurements do to it. */
export async function openAccount({ url, apiKey }, privateKey = generatePrivateKey()) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const api = async (method, path, body, expected) => {
    const answer = await send(method, `${url}${path}`, body, headers)
    if (answer.status !== expected)
      throw new Error(
        `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)} ${answer.hint ?? ''}`,
      )
    return answer.body
  }
  const account = await api(
    'POST',
    '/accounts',
    { signer_type: 'eoa', signer_address: privateKeyToAddress(privateKey) },
    201,
  )
  const { account_id } = account
  const path = `/accounts/${account_id}`
  let cursor = 0
  const signPlan = (plan) => sign({ hash: plan.details.eip712_data.digest, privateKey, to: 'hex' })
  return {
    id: account_id,
    api,
    wallet: account.svc_wallet_address,
    plan: (kind, body) => api('POST', `${path}/plan/${kind}`, body, 201),
    folio: () => api('GET', `${path}/folio`, undefined, 200),
    fund: (network, asset, amount) =>
      api('POST', '/_sim/fund', { account_id, asset, amount, network }, 200),
    sign: signPlan,
    /** Plans, executes, and waits until it is confirmed. */
    async run(kind, body) {
      const plan = await this.plan(kind, body)
      return this.executeToConfirmed(plan, await signPlan(plan))
    },
    /** From the execute request to the answer of a long poll that carries the confirmed event. */
    async executeToConfirmed(plan, signature) {
      const started = performance.now()
      const executed = api(
        'POST',
        `${path}/plan/execute`,
        { plan_id: plan.plan_id, signature },
        200,
      )
      let failure
      executed.catch((error) => {
        failure = error
      })
      for (;;) {
        const page = await api('GET', `${path}/events?since=${cursor}&poll=true`, undefined, 200)
        cursor = page.cursor
        if (failure) throw failure
        if (page.events.some((event) => event.data.activity_status === 'confirmed')) break
      }
      const took = performance.now() - started
      await executed
      return took
    },
  }
}
