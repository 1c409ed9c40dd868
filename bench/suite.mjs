// A suite of tests as a user writes them, against worlds of svc-sim and against bare anvils: tests a second of both, with one worker and
// with four. Build first. `node bench/suite.mjs --tests 500`; see docs/benchmarks.md, "A suite of tests".
import { parseArgs } from 'node:util'
import { loadAddressBook } from '../dist/modules/deployments/addressBook.js'
import { processorTime } from './bareTwin.mjs'
import { openAccount } from './client.mjs'
import { closeConnections, rpc, send } from './http.mjs'
import { startBareAnvil, startSimulator, treeOf } from './processes.mjs'
import { timed } from './stats.mjs'

const { values } = parseArgs({
  options: {
    tests: { type: 'string', default: '500' },
    workers: { type: 'string', default: '1,4' },
  },
})
const tests = Number(values.tests)
const book = loadAddressBook()
const amount = 1_000_000n

/** Runs all tests, shared out among the workers; resolves to tests a second, and milliseconds of processor that one takes the servers. */
async function run(workers, pids) {
  let left = tests
  const work = async ({ test }) => {
    while (left-- > 0) await test()
  }
  const used = () => pids.reduce((sum, pid) => sum + processorTime(pid), 0)
  const before = used()
  const took = await timed(() => Promise.all(workers.map(work)))
  return { perSecond: (1000 * tests) / took, cpu: (used() - before) / tests }
}

/** A worker that has leased a world: each test begins with the world as it was, and has an account of its own. */
async function worldWorker({ url }) {
  const ask = async (method, path, body) => {
    const answer = await send(method, `${url}${path}`, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`)
    return answer.body
  }
  const world = await ask('POST', '/_sim/worlds', { clock: 'auto', lease_seconds: 3600 })
  const control = `/_sim/worlds/${world.id}`
  await ask('POST', `${control}/snapshots`, { name: 'fresh' })
  const earn = { asset: 'USDC', amount: `${amount}`, network: 'base', protocol: 'compound' }
  return {
    async test() {
      await ask('POST', `${control}/snapshots/fresh/restore`)
      const account = await openAccount(world)
      const fund = { account_id: account.id, asset: 'USDC', amount: '5000000', network: 'arbitrum' }
      await ask('POST', `${control}/fund`, fund)
      await account.run('earn', earn)
      const { folio } = await account.folio()
      const key = Object.keys(folio.balances).find((name) => name.includes('/comet/base/'))
      if (!(Number(folio.balances[key]) >= Number(amount) - 2))
        throw new Error(`the position is not in the folio: ${JSON.stringify(folio.balances)}`)
    },
    stop: () => ask('DELETE', `/_sim/worlds/${world.id}`),
  }
}

const word = (value) => BigInt(value).toString(16).padStart(64, '0')

/**
 * A worker with two anvils, and the same by hand: snapshots, a balance on one network, a transfer that stands for the deposit, a balance
 * on the other that stands for the fill, approve, supply, the position, reverts.
 */
async function anvilWorker() {
  const [from, to] = await Promise.all([startBareAnvil('arbitrum'), startBareAnvil('base')])
  const [source, target] = ['arbitrum', 'base'].map(
    (network) => book.token(network, 'USDC').address,
  )
  const comet = book.on('base').comets.find(({ baseSymbol }) => baseSymbol === 'USDC').address
  let number = 0x5170
  return {
    async test() {
      const snapshots = await Promise.all([from, to].map(({ url }) => rpc(url, 'evm_snapshot')))
      const user = `0x${(++number).toString(16).padStart(40, '0')}`
      const sendAs = async ({ url }, token, data) => {
        const call = { from: user, to: token, data, gas: '0x7a120' }
        const { status } = await rpc(url, 'eth_sendTransactionSync', [call])
        if (status !== '0x1') throw new Error('a transaction has reverted')
      }
      for (const [side, token] of [
        [from, source],
        [to, target],
      ]) {
        await rpc(side.url, 'anvil_setBalance', [user, '0xde0b6b3a7640000'])
        await rpc(side.url, 'anvil_impersonateAccount', [user])
        await rpc(side.url, 'anvil_dealERC20', [user, token, '0x4c4b40'])
      }
      await sendAs(from, source, `0xa9059cbb${word('0xb41d6e')}${word(amount)}`)
      await sendAs(to, target, `0x095ea7b3${word(comet)}${word(amount)}`)
      await sendAs(to, comet, `0xf2b9fdb8${word(target)}${word(amount)}`)
      const read = { to: comet, data: `0x70a08231${word(user)}` }
      if (BigInt(await rpc(to.url, 'eth_call', [read, 'latest'])) < amount - 2n)
        throw new Error('the position is not there')
      await Promise.all([from, to].map(({ url }, i) => rpc(url, 'evm_revert', [snapshots[i]])))
    },
    pids: [from.pid, to.pid],
    stop: () => Promise.all([from.stop(), to.stop()]),
  }
}

async function measure(count, start, pidsOf) {
  const workers = await Promise.all(Array.from({ length: count }, start))
  // The first of each loads code and fills caches.
  for (const worker of workers) await worker.test()
  const measured = await run(workers, pidsOf(workers))
  for (const worker of workers) await worker.stop()
  return measured
}

const show = ({ perSecond, cpu }) =>
  `${perSecond.toFixed(1)} a second, ${cpu.toFixed(1)} ms of processor each`

for (const count of values.workers.split(',').map(Number)) {
  const sim = await startSimulator('--max-worlds', `${count}`)
  try {
    const tree = () => treeOf(sim.pid).map(({ pid }) => pid)
    const ours = await measure(count, () => worldWorker(sim), tree)
    const bare = await measure(count, anvilWorker, (workers) => workers.flatMap(({ pids }) => pids))
    const ratio = (bare.perSecond / ours.perSecond).toFixed(1)
    console.log(
      `${tests} tests, workers: ${count}; svc-sim ${show(ours)}; bare anvils ${show(bare)}`,
    )
    console.log(`  ratio ${ratio}, of processor ${(ours.cpu / bare.cpu).toFixed(1)}`)
  } finally {
    await sim.stop()
  }
}
closeConnections()
