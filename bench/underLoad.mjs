// Many clients at once, for a while: executions a second, how long bridge fills take, how long `advance` does, what a
// transaction costs the busiest node against a bare anvil with the same slots, and the memory of service and nodes. Exits with
// 1 when a bound is broken. Build first. `node bench/load.mjs --seconds 600`; see docs/benchmarks.md, "Under load".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { compareWithTwin } from './bareTwin.mjs'
import { watchFills } from './fills.mjs'
import { closeConnections, send } from './http.mjs'
import { startClients } from './loadClients.mjs'
import { memoryOf, nodesOf, startSimulator } from './processes.mjs'
import { percentile } from './stats.mjs'

const { values } = parseArgs({
  options: {
    plain: { type: 'string', default: '50' },
    bridging: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    /** Ends earlier, after so many executions. */
    executions: { type: 'string', default: '1000000000' },
    /** Milliseconds from one execution of a client to its next; 0: as soon as the one before is confirmed. */
    pace: { type: 'string', default: '0' },
    /** Advances the clock by a second after so many seconds, again and again; 0 for never. */
    advance: { type: 'string', default: '15' },
    'data-dir': { type: 'boolean', default: false },
    /** The bounds. */
    'fill-p99': { type: 'string', default: '4000' },
    'advance-max': { type: 'string', default: '4000' },
    'twin-ratio': { type: 'string', default: '1.2' },
    'memory-per-1000': { type: 'string', default: '60' },
  },
})
const options = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
)
const broken = []
const folder = values['data-dir'] ? mkdtempSync(join(tmpdir(), 'svc-sim-load-')) : undefined
const sim = await startSimulator('--rpc-unsafe', ...(folder ? ['--data-dir', folder] : []))
try {
  await loadFor(sim)
} finally {
  await sim.stop()
  closeConnections()
  if (folder) rmSync(folder, { recursive: true, force: true })
}
for (const each of broken) console.log(`BROKEN: ${each}`)
process.exitCode = broken.length === 0 ? 0 : 1

async function loadFor(sim) {
  const fills = await watchFills(sim)
  const stop = new AbortController()
  const begun = performance.now()
  const { counts, done } = await startClients(sim, options, stop.signal)
  const advances = []
  const samples = []
  const isOver = () =>
    performance.now() - begun > options.seconds * 1000 || counts.executions >= options.executions
  const moving = moveClock(sim, advances, isOver)
  const everyMs = Math.max(5_000, (options.seconds * 1000) / 20)
  while (!isOver())
    samples.push(await sample(sim, counts, fills, Math.min(everyMs, options.seconds * 1000)))
  stop.abort()
  await Promise.all([done, moving])
  judge(counts, fills, advances, samples)
  fills.stop()
  await judgeNode(sim)
}

async function moveClock({ url, apiKey }, took, isOver) {
  for (;;) {
    for (let waited = 0; waited < options.advance * 1000; waited += 200) {
      if (isOver()) return
      await sleep(200)
    }
    if (options.advance === 0) return
    const begun = performance.now()
    const headers = { authorization: `Bearer ${apiKey}` }
    const { status, body } = await send(
      'POST',
      `${url}/_sim/clock/advance`,
      { seconds: 1 },
      headers,
    )
    took.push(performance.now() - begun)
    if (status !== 200) broken.push(`advance was refused: ${JSON.stringify(body)}`)
  }
}

/** What a stretch of time brought: prints and returns it. */
async function sample(sim, counts, fills, ms) {
  const [executions, filled, begun] = [counts.executions, fills.took.length, performance.now()]
  await sleep(ms)
  const seconds = (performance.now() - begun) / 1000
  const nodes = nodesOf(sim.pid)
  const memory = { service: memoryOf(sim.pid), nodes: nodes.map(({ pid }) => memoryOf(pid)) }
  const rate = (counts.executions - executions) / seconds
  const recent = fills.took.slice(filled)
  const show = (list) => list.map((each) => each.toFixed(0)).join(' ')
  console.log(
    `${String(counts.executions).padStart(6)} executions, ${rate.toFixed(1)} a second; fills p50 ${percentile(recent, 0.5)?.toFixed(0)} p99 ${percentile(recent, 0.99)?.toFixed(0)} ms, ${fills.open()} open; MB: service ${memory.service.toFixed(0)}, nodes ${show(memory.nodes)}`,
  )
  return { executions: counts.executions, rate, memory }
}

function judge(counts, fills, advances, samples) {
  const ms = (value) => `${value?.toFixed(0)} ms`
  const p99 = percentile(fills.took, 0.99)
  console.log(
    `fills ${fills.took.length}: p50 ${ms(percentile(fills.took, 0.5))}, p99 ${ms(p99)}, ${fills.open()} open`,
  )
  console.log(
    `advance ${advances.length}: p50 ${ms(percentile(advances, 0.5))}, longest ${ms(Math.max(...advances))}`,
  )
  if (options.bridging > 0 && !(p99 <= options['fill-p99']))
    broken.push(`p99 of a fill is ${ms(p99)}, allowed are ${options['fill-p99']}`)
  if (advances.some((took) => took > options['advance-max']))
    broken.push(
      `an advance took ${ms(Math.max(...advances))}, allowed are ${options['advance-max']}`,
    )
  if (counts.failures.length > 0)
    broken.push(`${counts.failures.length} executions failed, first: ${counts.failures[0]}`)
  // The first third is warm-up.
  const [early, late] = [samples[Math.floor(samples.length / 3)], samples.at(-1)]
  const thousands = (late.executions - early.executions) / 1000
  const growth = [
    ['service', late.memory.service - early.memory.service],
    ...late.memory.nodes.map((value, i) => [`node ${i + 1}`, value - early.memory.nodes[i]]),
  ]
  for (const [who, grown] of growth) {
    if (thousands <= 0) break
    const each = grown / thousands
    console.log(`memory of ${who}: ${each.toFixed(1)} MB per 1,000 executions`)
    if (thousands > 2 && each > options['memory-per-1000'])
      broken.push(`${who} grows by ${each.toFixed(1)} MB per 1,000 executions`)
  }
}

async function judgeNode(sim) {
  const base = nodesOf(sim.pid).find(({ chainId }) => chainId === 8453)
  const flags = base.args.slice(
    base.args.indexOf('--prune-history'),
    base.args.indexOf('--no-cors'),
  )
  const { slots, node, bare } = await compareWithTwin({ ...base, url: sim.rpc.base, flags }, 220)
  const ratio = node.cpu / bare.cpu
  console.log(
    `a transaction on base, ${slots} slots: ${node.cpu.toFixed(2)} ms of processor (p50 ${node.p50.toFixed(1)} ms), bare anvil ${bare.cpu.toFixed(2)} (${bare.p50.toFixed(1)}), ratio ${ratio.toFixed(2)}`,
  )
  if (ratio > options['twin-ratio'])
    broken.push(`a transaction costs ${ratio.toFixed(2)} times what it costs a bare anvil`)
}
