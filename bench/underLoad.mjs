// Many clients at once, for a while: executions a second, how long bridge fills take, how long `advance` does, what a
// transaction costs the busiest node against a bare anvil with the same slots, and the memory of service and nodes. Exits with
// 1 when a bound is broken. Build first. `node bench/underLoad.mjs --seconds 600`; see docs/benchmarks.md, "Under load".
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { compareWithTwin } from './bareTwin.mjs'
import { watchFills } from './fills.mjs'
import { closeConnections, rpc, send } from './http.mjs'
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
    /** So many slots stand on base before it begins, as after many executions: each is hashed with every block. */
    slots: { type: 'string', default: '0' },
    'data-dir': { type: 'boolean', default: false },
    /**
     * The bounds, as ratios to what the same clients meet at the same time, so that they hold on a busy machine as well: how
     * long after it was due a fill may come (p99), and how long `advance` may take, each against the median of a plain
     * execution; a transaction against a bare anvil's; memory at the end against after a third, less what records take.
     */
    'fill-ratio': { type: 'string', default: '3' },
    'advance-ratio': { type: 'string', default: '4' },
    'twin-ratio': { type: 'string', default: '1.2' },
    'memory-ratio': { type: 'string', default: '1.3' },
    /** Megabytes of one process that 1,000 executions may leave as records. */
    'kept-per-1000': { type: 'string', default: '30' },
    /** Milliseconds, for a machine that does nothing else; 0 for no such bound. */
    'fill-p99': { type: 'string', default: '0' },
  },
})
const options = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
)
/** What the simulator does by default. */
const bridgeDelayMs = 2_000
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
  await writeSlots(sim.rpc.base, options.slots)
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

async function writeSlots(url, count) {
  const word = (i) => `0x${i.toString(16).padStart(64, '0')}`
  const written = (i) =>
    rpc(url, 'anvil_setStorageAt', ['0x0000000000000000000000000000000000510750', word(i), word(i)])
  for (let begin = 1; begin <= count; begin += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => written(begin + i)))
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
  const plain = percentile(counts.plainTimes, 0.5)
  const p99 = percentile(fills.took, 0.99)
  console.log(`plain executions, from plan to confirmed: p50 ${ms(plain)}`)
  console.log(
    `fills ${fills.took.length}, due after ${bridgeDelayMs} ms: p50 ${ms(percentile(fills.took, 0.5))}, p99 ${ms(p99)}, ${fills.open()} open`,
  )
  expectAtMost(
    'p99 of a fill after it was due',
    (p99 - bridgeDelayMs) / plain,
    options['fill-ratio'],
  )
  if (options['fill-p99'] > 0) expectAtMost('p99 of a fill in ms', p99, options['fill-p99'])
  if (advances.length > 0) {
    console.log(`advance ${advances.length}: p50 ${ms(percentile(advances, 0.5))}`)
    expectAtMost('the longest advance', Math.max(...advances) / plain, options['advance-ratio'])
  }
  if (counts.failures.length > 0)
    broken.push(`${counts.failures.length} executions failed, first: ${counts.failures[0]}`)
  // Shorter runs are warm-up: V8 lets its heap grow before it collects.
  if (options.seconds >= 300) judgeMemory(samples)
}

/** Against a third of the time, which is warm-up. */
function judgeMemory(samples) {
  const [early, late] = [samples[Math.floor(samples.length / 3)], samples.at(-1)]
  const kept = ((late.executions - early.executions) / 1000) * options['kept-per-1000']
  const all = ({ memory }) => [memory.service, ...memory.nodes]
  for (const [i, before] of all(early).entries())
    expectAtMost(
      `memory of ${i === 0 ? 'the service' : `node ${i}`}, less records`,
      (all(late)[i] - kept) / before,
      options['memory-ratio'],
    )
}

/** A figure that is undefined because nothing was measured breaks its bound. */
function expectAtMost(what, value, bound) {
  console.log(`${what}: ${value.toFixed(2)} (at most ${bound})`)
  if (!(value <= bound)) broken.push(`${what} is ${value.toFixed(2)}, allowed are ${bound}`)
}

async function judgeNode(sim) {
  const base = nodesOf(sim.pid).find(({ chainId }) => chainId === 8453)
  const flags = base.args.slice(
    base.args.indexOf('--prune-history'),
    base.args.indexOf('--no-cors'),
  )
  const { slots, node, bare } = await compareWithTwin({ ...base, url: sim.rpc.base, flags }, 240)
  console.log(
    `a transaction on base, ${slots} slots: ${node.cpu.toFixed(2)} ms of processor (p50 ${node.p50.toFixed(1)} ms), bare anvil ${bare.cpu.toFixed(2)} (${bare.p50.toFixed(1)})`,
  )
  expectAtMost(
    'a transaction, to a bare anvil with the same slots',
    node.cpu / bare.cpu,
    options['twin-ratio'],
  )
}
