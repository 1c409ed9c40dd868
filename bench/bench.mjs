// Prints, from one run on one machine: time to ready, plan and execute latency, memory, and size, each against the bare
// thing it stands on. Build first (`npm run build`). Figures are medians and ratios; see docs/benchmarks.md. Arguments: the parts
// to measure, by their names below; all when there are none.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureBundles } from './bundles.mjs'
import { openAccount } from './client.mjs'
import { measureFaults } from './faults.mjs'
import { measureFolios } from './folio.mjs'
import { closeConnections } from './http.mjs'
import { measureKinds } from './kinds.mjs'
import { measureLatencies } from './latency.mjs'
import { startBareAnvil, startBareSet, startSimulator, treeMemory } from './processes.mjs'
import { measureReads } from './reads.mjs'
import { measureResets } from './reset.mjs'
import { describe, percentile, ratio, timed } from './stats.mjs'
import { measureSwarm } from './swarm.mjs'
import { measureWorlds } from './worlds.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const starts = Number(process.env.BENCH_STARTS ?? 9)
const rounds = Number(process.env.BENCH_ROUNDS ?? 300)
const kindRounds = Number(process.env.BENCH_KIND_ROUNDS ?? 100)
/** 10000, as the aim says, take some minutes. */
const memoryRounds = Number(process.env.BENCH_MEMORY_ROUNDS ?? 1000)
const readRequests = Number(process.env.BENCH_READS ?? 2000)
const swarmRuns = Number(process.env.BENCH_SWARM_RUNS ?? 200)
const rpcPortBase = Number(process.env.BENCH_RPC_PORT_BASE ?? 28545)

async function benchReady() {
  const bare = []
  const ours = []
  for (let i = -1; i < starts; i++) {
    let running
    const start = async (how) => {
      running = await how()
    }
    const bareTime = await timed(() => start(startBareSet))
    await running.stop()
    const ourTime = await timed(() => start(startSimulator))
    await running.stop()
    if (i < 0) continue // The first pair warms the disk cache.
    bare.push(bareTime)
    ours.push(ourTime)
  }
  console.log(`ready, bare set      median ${percentile(bare, 0.5).toFixed(0)} ms of ${starts}`)
  console.log(`ready, svc-sim       median ${percentile(ours, 0.5).toFixed(0)} ms of ${starts}`)
  console.log(`  ratio ${ratio(ours, bare)} (aim: at most 2)`)
}

async function benchLatency() {
  const sim = await startSimulator('--rpc-port-base', `${rpcPortBase}`)
  const bare = await startBareAnvil('base')
  try {
    const samples = await measureLatencies(sim, bare.url, { rounds, warmup: 50 })
    console.log(`bare eth_call        ${describe(samples.call)} of ${rounds}`)
    console.log(`GET /networks        ${describe(samples.smallest)}`)
    console.log(`earn plan's read     ${describe(samples.planRead)}, alone, of the node`)
    console.log(`earn plan's run      ${describe(samples.planRun)}, alone, of the node`)
    console.log(`earn plan            ${describe(samples.plan)}`)
    console.log(`  ratio ${ratio(samples.plan, samples.call)} (aim: at most 3)`)
    console.log(`swap plan            ${describe(samples.swapPlan)}`)
    console.log(`  ratio ${ratio(samples.swapPlan, samples.call)}`)
    console.log(`folio after execute  ${describe(samples.folio)}`)
    console.log(`  ratio ${ratio(samples.folio, samples.call)}`)
    console.log(`bare send + receipt  ${describe(samples.send)}`)
    console.log(`execute to confirmed ${describe(samples.execute)}`)
    console.log(`  ratio ${ratio(samples.execute, samples.send)} (aim: at most 4)`)
  } finally {
    await Promise.all([sim.stop(), bare.stop()])
  }
}

async function benchFolio() {
  const sim = await startSimulator('--clock', 'frozen')
  try {
    const { raw, all, fresh, one, kept } = await measureFolios(sim, { rounds })
    const slowest = Object.values(raw).sort((a, b) => percentile(b, 0.5) - percentile(a, 0.5))[0]
    for (const [network, samples] of Object.entries(raw))
      console.log(`raw multicall        ${describe(samples)}, ${network}`)
    console.log(
      `raw, five at once    ${describe(all)}, ratio ${ratio(all, slowest)} to the slowest`,
    )
    console.log(`folio, all changed   ${describe(fresh)}`)
    console.log(`  ratio ${ratio(fresh, slowest)} to the slowest raw multicall (aim: at most 3)`)
    console.log(
      `folio, base changed  ${describe(one)}, ratio ${ratio(one, raw.base)} to base alone`,
    )
    console.log(`folio, none changed  ${describe(kept)}`)
  } finally {
    await sim.stop()
  }
}

async function benchReads() {
  const sim = await startSimulator()
  try {
    const measured = await measureReads(sim, { turns: 10, requests: readRequests })
    for (const [name, { ours, bare, mock }] of Object.entries(measured)) {
      const rate = (samples) => `${percentile(samples, 0.5).toFixed(0)} a second`
      console.log(`${name.padEnd(20)} ${rate(ours)}, bare Express ${rate(bare)}`)
      console.log(`  ratio ${ratio(ours, bare)} (aim: at least 0.60)`)
      if (mock.length > 0)
        console.log(`  mock server ${rate(mock)}, ratio ${ratio(ours, mock)} (aim: at least 2)`)
    }
  } finally {
    await sim.stop()
  }
}

/** Every plan kind, for a wallet with positions in every protocol of one network, and where it may be for one with funds on five. */
async function benchKinds() {
  const sim = await startSimulator()
  const bare = await startBareAnvil('base')
  try {
    const { call, folio, one, five, unmatched } = await measureKinds(sim, bare.url, kindRounds)
    console.log(`bare eth_call        ${describe(call)} of ${kindRounds}`)
    console.log(`folio, all protocols ${describe(folio)}, ratio ${ratio(folio, call)}`)
    for (const [name, samples] of Object.entries(one))
      console.log(`${name.padEnd(26)} ${describe(samples)}, ratio ${ratio(samples, call)}`)
    for (const [name, samples] of Object.entries(five))
      console.log(
        `${`${name}, bridged`.padEnd(26)} ${describe(samples)}, ratio ${ratio(samples, call)}`,
      )
    const plain = one['earn compound']
    console.log(
      `earn compound, with a fault rule that matches nobody: ${describe(unmatched)}, ratio ${ratio(unmatched, plain)} to without`,
    )
  } finally {
    await Promise.all([sim.stop(), bare.stop()])
  }
}

async function benchFaults() {
  const sim = await startSimulator()
  try {
    const samples = await measureFaults(sim, { turns: 30 })
    console.log(`GET /networks, no rules           ${describe(samples.without)} of 3000`)
    console.log(`GET /networks, no rules, again    ${describe(samples.again)}`)
    console.log(`GET /networks, a rule for others  ${describe(samples.never)}`)
    console.log(
      `  ratio ${ratio(samples.never, samples.without)}, of two equal series ${ratio(samples.again, samples.without)}`,
    )
  } finally {
    await sim.stop()
  }
}

async function benchReset() {
  const sim = await startSimulator('--rpc-port-base', `${rpcPortBase}`)
  try {
    const nodeUrls = [0, 1, 2, 3, 4].map((i) => `http://127.0.0.1:${rpcPortBase + i}`)
    const samples = await measureResets(sim, nodeUrls, { accounts: 100, rounds: 30 })
    console.log(`bare reverts, 5 nodes ${describe(samples.bare)} of 30`)
    console.log(`restore 100 accounts ${describe(samples.restore)} (aim: under 50 ms)`)
    console.log(`  ratio ${ratio(samples.restore, samples.bare)}`)
    console.log(`take a snapshot      ${describe(samples.snapshot)}`)
    console.log(`reset to the start   ${describe(samples.reset)}`)
  } finally {
    await sim.stop()
  }
}

/** What a simulator holds after more and more plans that were executed, the same account's all. */
async function benchMemory() {
  const sim = await startSimulator()
  try {
    const account = await openAccount(sim)
    await account.fund('base', 'USDC', '1000000000')
    const intent = { amount: '1000', asset: 'USDC', network: 'base', protocol: 'compound' }
    const tell = (when) => {
      const { held, resident } = treeMemory(sim.pid)
      console.log(
        `memory ${when.padEnd(19)} ${held.toFixed(0)} MB held, ${resident.toFixed(0)} MB resident in sum`,
      )
    }
    tell('when ready (aim: 200)')
    for (let round = 1; round <= memoryRounds; round++) {
      await account.run('earn', intent)
      if (/^[15]0+$/.test(String(round)) && round >= 100) tell(`after ${round}`)
    }
    console.log('  aim: under 260 MB after 10000')
  } finally {
    await sim.stop()
  }
}

function benchSize() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-bench-'))
  try {
    const run = (command, args, cwd) =>
      execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const [pack] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
    )
    run('npm', ['init', '-y'], folder)
    run('npm', ['install', '--no-audit', '--no-fund', join(folder, pack.filename)], folder)
    const installed = Number(run('du', ['-sk', 'node_modules'], folder).split('\t')[0]) / 1024
    console.log(
      `package              ${(pack.size / 1e6).toFixed(2)} MB packed, ${(pack.unpackedSize / 1e6).toFixed(2)} MB unpacked`,
    )
    console.log(
      `installed            ${installed.toFixed(0)} MB with all dependencies, anvil among them (aim: under 140)`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Worlds beside the first one. */
async function benchWorlds() {
  const { samples, megabytes, cores, one, all } = await measureWorlds({ leases: 8, rounds: 100 })
  console.log(`world kept ready     ${describe(samples.warm)} of 8 (aim: under 20 ms)`)
  console.log(`world started        ${describe(samples.cold)} of 8 (aim: under 400 ms)`)
  console.log(`memory of a world    ${megabytes.toFixed(0)} MB (aim: under 160)`)
  console.log(
    `executions a second  ${one.toFixed(1)} in one world, ${all.toFixed(1)} in ${cores} on ${cores} cores`,
  )
}

/** Searches of a client that pays once, and of the good client of the examples. */
async function benchSwarm() {
  for (const jobs of [2, 4]) {
    const rates = await measureSwarm({ runs: swarmRuns, jobs })
    console.log(
      `swarm, ${jobs} worlds      ${rates.skipping.toFixed(1)} runs a second, a function whose pauses the clock skips (aim: at least 20)`,
    )
    console.log(`                     ${rates.waiting.toFixed(1)}, a function with real pauses`)
    console.log(
      `                     ${rates.process.toFixed(1)}, a Node process for each run (aim: at least 5)`,
    )
    console.log(
      `                     ${rates.good.toFixed(1)}, a process that supplies over a bridge and swaps`,
    )
  }
}

async function benchBundles() {
  const { recording, bytes, samples } = await measureBundles({ starts })
  const { recorded, offline } = samples
  console.log(
    `bundle, 5 networks   ${(bytes / 1e6).toFixed(2)} MB, recorded in ${(recording / 1000).toFixed(0)} s`,
  )
  console.log(`ready, offline       median ${percentile(offline, 0.5).toFixed(0)} ms of ${starts}`)
  console.log(`ready, from a bundle median ${percentile(recorded, 0.5).toFixed(0)} ms of ${starts}`)
  console.log(`  ratio ${ratio(recorded, offline)} (aim: at most 1.5)`)
}

const parts = {
  ready: benchReady,
  latency: benchLatency,
  folio: benchFolio,
  reads: benchReads,
  kinds: benchKinds,
  faults: benchFaults,
  reset: benchReset,
  memory: benchMemory,
  worlds: benchWorlds,
  swarm: benchSwarm,
  bundles: benchBundles,
  size: benchSize,
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(
    `no part is called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`,
  )
for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) await parts[name]()
closeConnections()
