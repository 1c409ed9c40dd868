import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { rpc, send } from './http.mjs'
import { timed } from './stats.mjs'

/** Sends to the simulator and expects success. */
function apiOf({ url, apiKey }) {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await send(method, `${url}${path}`, body, headers)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

/** One account with a little USDC, and a plan that is not executed. */
async function openAccount(api) {
  const { account_id } = await api('POST', '/accounts', {
    signer_type: 'eoa',
    signer_address: privateKeyToAddress(generatePrivateKey()),
  })
  const funds = { account_id, asset: 'USDC', amount: '1000000', network: 'base' }
  await api('POST', '/_sim/fund', funds)
  await api('POST', `/accounts/${account_id}/plan/earn`, {
    amount: '1000',
    asset: 'USDC',
    network: 'base',
    protocol: 'compound',
  })
}

/**
 * How long it takes to go back to a world with so many accounts after a few requests, in milliseconds, against the bare
 * reverts that are in it: `evm_revert` and a new `evm_snapshot`, on all five nodes at once.
 */
export async function measureResets(sim, nodeUrls, { accounts, rounds }) {
  const api = apiOf(sim)
  for (let i = 0; i < accounts; i++) await openAccount(api)
  await api('POST', '/_sim/snapshots', { name: 'filled' })
  const samples = { bare: [], snapshot: [], restore: [], reset: [] }
  const bareRevert = async (ids) => {
    await Promise.all(nodeUrls.map((url, i) => rpc(url, 'evm_revert', [ids[i]])))
    await Promise.all(nodeUrls.map((url) => rpc(url, 'evm_snapshot')))
  }
  for (let round = -5; round < rounds; round++) {
    const ids = await Promise.all(nodeUrls.map((url) => rpc(url, 'evm_snapshot')))
    await openAccount(api)
    const measured = {
      bare: await timed(() => bareRevert(ids)),
      restore: await timed(() => api('POST', '/_sim/snapshots/filled/restore')),
      snapshot: await timed(() => api('POST', '/_sim/snapshots')),
    }
    await api('POST', '/_sim/snapshots/filled/restore')
    if (round < 0) continue
    for (const [name, value] of Object.entries(measured)) samples[name].push(value)
  }
  for (let round = 0; round < rounds; round++) {
    await openAccount(api)
    samples.reset.push(await timed(() => api('POST', '/_sim/reset')))
  }
  return samples
}
