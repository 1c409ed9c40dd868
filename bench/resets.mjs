// Works and resets, again and again: what the service and the nodes hold afterwards. Exits with 1 when it is more than a share of
// what they held after a fifth of the rounds. Build first.
import { parseArgs } from 'node:util'
import { openAccount } from './client.mjs'
import { closeConnections } from './http.mjs'
import { memoryOf, nodesOf, startSimulator } from './processes.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    executions: { type: 'string', default: '3' },
    /** How much more memory than after a fifth of the rounds is allowed. */
    'memory-ratio': { type: 'string', default: '1.3' },
  },
})
const rounds = Number(values.rounds)

const earn = { amount: '1000', asset: 'USDC', network: 'base', protocol: 'compound' }

async function round(sim) {
  const client = await openAccount(sim)
  await client.fund('base', 'USDC', '1000000000')
  for (let i = 0; i < Number(values.executions); i++) await client.run('earn', earn)
  await client.api('POST', '/_sim/reset', undefined, 200)
}

function memory({ pid }) {
  return [memoryOf(pid), ...nodesOf(pid).map((node) => memoryOf(node.pid))]
}

const sim = await startSimulator()
try {
  let warm
  for (let i = 1; i <= rounds; i++) {
    await round(sim)
    if (i % Math.ceil(rounds / 10) === 0) {
      const now = memory(sim)
      console.log(`${i} resets; MB: ${now.map((each) => each.toFixed(0)).join(' ')}`)
      if (i * 5 <= rounds) warm = now
    }
  }
  const end = memory(sim)
  const ratios = end.map((each, i) => each / warm[i])
  console.log(`ratios to a fifth of the rounds: ${ratios.map((each) => each.toFixed(2)).join(' ')}`)
  if (ratios.some((each) => each > Number(values['memory-ratio']))) {
    console.log(`BROKEN: memory grew by more than ${values['memory-ratio']}`)
    process.exitCode = 1
  }
} finally {
  await sim.stop()
  closeConnections()
}
