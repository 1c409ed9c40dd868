import { availableParallelism } from 'node:os'
import { openAccount } from './client.mjs'
import { send } from './http.mjs'
import { startSimulator, treeMemory } from './processes.mjs'
import { timed } from './stats.mjs'

/** Leases a world; its `end` resolves when the world is given back. */
async function lease({ url }) {
  const { status, body } = await send('POST', `${url}/_sim/worlds`, {})
  if (status !== 201) throw new Error(`POST /_sim/worlds: ${status} ${JSON.stringify(body)}`)
  return { ...body, end: () => send('DELETE', `${url}/_sim/worlds/${body.id}`) }
}

const until = async (isSo) => {
  while (!(await isSo())) await new Promise(setImmediate)
}

/** Plans and executions until they are confirmed, one after the other in each world; resolves to executions a second of all. */
async function throughput(places, rounds) {
  const accounts = await Promise.all(places.map(openAccount))
  for (const account of accounts) await account.fund('base', 'USDC', '1000000000')
  const intent = { amount: '1000', asset: 'USDC', network: 'base', protocol: 'compound' }
  const work = async (account, count) => {
    for (let i = 0; i < count; i++) await account.run('earn', intent)
  }
  await Promise.all(accounts.map((account) => work(account, 20)))
  const took = await timed(() => Promise.all(accounts.map((account) => work(account, rounds))))
  return (1000 * rounds * places.length) / took
}

/**
 * What a world takes: milliseconds until it is leased, warm (`kept ready`) and cold (started for the request); megabytes; and executions a
 * second of one, and of as many as there are cores, each with a client of its own.
 */
export async function measureWorlds({ leases, rounds }) {
  const samples = { warm: [], cold: [] }
  const warm = await startSimulator('--worlds', '2')
  try {
    const isReady = async () => (await send('GET', `${warm.url}/_sim/worlds`)).body.warm === 2
    for (let i = 0; i < leases; i++) {
      await until(isReady)
      let world
      samples.warm.push(
        await timed(async () => {
          world = await lease(warm)
        }),
      )
      await world.end()
    }
  } finally {
    await warm.stop()
  }
  const sim = await startSimulator()
  try {
    const { held: before } = treeMemory(sim.pid)
    const worlds = []
    for (let i = 0; i < leases; i++)
      samples.cold.push(
        await timed(async () => {
          worlds.push(await lease(sim))
        }),
      )
    const megabytes = (treeMemory(sim.pid).held - before) / leases
    const cores = availableParallelism()
    const one = await throughput(worlds.slice(0, 1), rounds)
    const all = await throughput(worlds.slice(0, cores), rounds)
    return { samples, megabytes, cores, one, all }
  } finally {
    await sim.stop()
  }
}
