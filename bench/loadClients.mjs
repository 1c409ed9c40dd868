import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from './client.mjs'

const networks = ['mainnet', 'base', 'arbitrum', 'optimism', 'polygon']
const friend = '0x00000000000000000000000000000000000f41e7'

/** Every other of these plans undoes the one before, so that a wallet never runs dry. */
const earn = { amount: '1000', asset: 'USDC', network: 'base', protocol: 'compound' }
const plainPlans = [
  ['earn', earn],
  ['withdraw', { ...earn, amount: '900' }],
]
/** More than the wallet has on base: the rest is bridged. */
const bridged = [
  'transfer',
  { asset: 'USDC', amount: '500000', network: 'base', recipient: friend },
]

/** Clients that go on until `stop` is aborted. With a `pace`, in milliseconds, each begins at that pace instead of when it is done. */
export async function startClients(sim, { plain, bridging, pace }, stop) {
  const counts = { executions: 0, plainTimes: [], failures: [] }
  const clients = await Promise.all([
    ...Array.from({ length: plain }, async () => {
      const client = await openAccount(sim)
      await client.fund('base', 'USDC', '1000000000000')
      return () => runPlain(client, counts)
    }),
    ...Array.from({ length: bridging }, async (_, i) => {
      const client = await openAccount(sim)
      const home = networks.filter((name) => name !== 'base')[i % 4]
      await client.fund(home, 'USDC', '1000000000000')
      return () => runBridged(client, counts)
    }),
  ])
  const done = Promise.all(clients.map((turn, i) => repeat(turn, { pace, first: i, counts }, stop)))
  return { counts, done }
}

async function runPlain(client, counts) {
  client.turn = (client.turn ?? 0) + 1
  const begun = performance.now()
  await client.run(...plainPlans[(client.turn - 1) % 2])
  counts.plainTimes.push(performance.now() - begun)
  counts.executions++
}

async function runBridged(client, counts) {
  await client.run(...bridged)
  counts.executions++
}

async function repeat(turn, { pace, first, counts }, stop) {
  // Not all at the same moment.
  if (pace > 0) await sleep((pace * (first % 10)) / 10)
  while (!stop.aborted) {
    const next = pace > 0 ? sleep(pace) : undefined
    try {
      await turn()
    } catch (error) {
      if (stop.aborted) return
      counts.failures.push(error.message)
    }
    await next
  }
}
