import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { rpc, send } from './http.mjs'
import { timed } from './stats.mjs'

const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
])

/**
 * Latencies in milliseconds, each round measuring all of them in turn so that the machine's mood falls on all alike.
 * `nodeUrl` is the base node itself, not the simulator's pass-through.
 */
export async function measureLatencies(sim, nodeUrl, { rounds, warmup }) {
  const client = await openAccount(sim)
  const call = {
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [client.wallet] }),
  }
  const bareSender = await bareSendSetup(sim, nodeUrl)
  const samples = { call: [], plan: [], swapPlan: [], folio: [], send: [], execute: [] }
  for (let round = -warmup; round < rounds; round++) {
    let plan
    const measured = {
      call: await timed(() => rpc(nodeUrl, 'eth_call', [call, 'latest'])),
      plan: await timed(async () => {
        plan = await client.plan('earn', {
          amount: '1000',
          asset: 'USDC',
          network: 'base',
          protocol: 'compound',
        })
      }),
      swapPlan: await timed(() =>
        client.plan('swap', {
          sell_asset: 'USDC',
          buy_asset: 'WETH',
          network: 'base',
          sell_amount: '1000',
        }),
      ),
      folio: await timed(() => client.folio()),
      send: await timed(() => bareSender(round)),
    }
    const signature = await client.sign(plan)
    measured.execute = await client.executeToConfirmed(plan, signature)
    if (round < 0) continue
    for (const [name, value] of Object.entries(measured)) samples[name].push(value)
  }
  return samples
}

async function openAccount({ url, apiKey }) {
  const privateKey = generatePrivateKey()
  const headers = { authorization: `Bearer ${apiKey}` }
  const api = async (method, path, body, expected) => {
    const answer = await send(method, `${url}${path}`, body, headers)
    if (answer.status !== expected)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
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
  await api(
    'POST',
    '/_sim/fund',
    { account_id, asset: 'USDC', amount: '1000000000', network: 'base' },
    200,
  )
  let cursor = 0
  return {
    wallet: account.svc_wallet_address,
    plan: (kind, body) => api('POST', `${path}/plan/${kind}`, body, 201),
    folio: () => api('GET', `${path}/folio`, undefined, 200),
    sign: (plan) => sign({ hash: plan.details.eip712_data.digest, privateKey, to: 'hex' }),
    /** From the execute request to the answer of a long poll that carries the confirmed event. */
    async executeToConfirmed(plan, signature) {
      const started = performance.now()
      const executed = api(
        'POST',
        `${path}/plan/execute`,
        { plan_id: plan.plan_id, signature },
        200,
      )
      for (;;) {
        const page = await api('GET', `${path}/events?since=${cursor}&poll=true`, undefined, 200)
        cursor = page.cursor
        if (page.events.some((event) => event.data.activity_status === 'confirmed')) break
      }
      const took = performance.now() - started
      await executed
      return took
    },
  }
}

/** An ERC-20 transfer sent to the bare node, until its receipt is there. */
async function bareSendSetup({ url, apiKey }, nodeUrl) {
  const from = privateKeyToAddress(generatePrivateKey())
  const headers = { authorization: `Bearer ${apiKey}` }
  await send(
    'POST',
    `${url}/_sim/fund`,
    { address: from, asset: 'USDC', amount: '1000000000', network: 'base' },
    headers,
  )
  await rpc(nodeUrl, 'anvil_setBalance', [from, '0x3635c9adc5dea00000'])
  await rpc(nodeUrl, 'anvil_impersonateAccount', [from])
  return async (round) => {
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [usdc.replace('8335', '0000'), BigInt(round + 1000)],
    })
    const hash = await rpc(nodeUrl, 'eth_sendTransaction', [
      { from, to: usdc, data, gas: '0x30d40' },
    ])
    for (;;) if (await rpc(nodeUrl, 'eth_getTransactionReceipt', [hash])) return
  }
}
