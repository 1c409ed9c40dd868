import { openAccount } from './client.mjs'
import { load } from './load.mjs'
import { startBareExpress } from './processes.mjs'

/**
 * Answers a second to a closed loop of eight clients, with the journal on, against Express that gives the same bytes; with
 * `MOCK_URL` also against the mock server that listens there. Turns of each after the other, so that the machine's mood falls on all.
 */
export async function measureReads(sim, { turns, requests }) {
  const { id, api } = await openAccount(sim)
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const paths = { 'GET /networks': '/networks', 'GET /accounts/:id': `/accounts/${id}` }
  const measured = {}
  for (const [name, path] of Object.entries(paths)) {
    const bare = await startBareExpress(path, await api('GET', path, undefined, 200))
    const servers = { ours: sim.url, bare: bare.url, mock: process.env.MOCK_URL }
    const rates = { ours: [], bare: [], mock: [] }
    for (let turn = -2; turn < turns; turn++)
      for (const [server, url] of Object.entries(servers)) {
        const rate = url && (await load(`${url}${path}`, { headers, requests, clients: 8 }))
        if (turn >= 0 && rate) rates[server].push(rate)
      }
    await bare.stop()
    measured[name] = rates
  }
  return measured
}
