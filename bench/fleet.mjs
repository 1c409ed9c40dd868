// Prints what a fleet on this machine does: what a front adds to a request, leases a second with 1, 2 and 4 workers, what Redis carries,
// and what worlds take. Build first (`npm run build:ts`); needs redis-server or valkey-server. docs/scale.md says what follows.
// Options: --requests 2000, --leases 40, --workers 1,2,4.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { redisDirectory } from '../dist/modules/tools/fleet/redisDirectory.js'
import { closeConnections, send } from './http.mjs'
import { treeMemory } from './processes.mjs'
import { describe, percentile, timed } from './stats.mjs'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    leases: { type: 'string', default: '40' },
    workers: { type: 'string', default: '1,2,4' },
  },
})
const requests = Number(values.requests)
const leases = Number(values.leases)
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const children = []

function start(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  return child
}

async function stop(child) {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function startRedis() {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address()
  await new Promise((resolve) => free.close(resolve))
  const program = ['redis-server', 'valkey-server'].find((name) => {
    try {
      return execFileSync(name, ['--version'])
    } catch {
      return false
    }
  })
  if (!program) throw new Error('neither redis-server nor valkey-server is installed')
  const child = start(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''])
  for await (const line of createInterface(child.stdout)) if (/eady to accept/.test(line)) break
  return `redis://127.0.0.1:${port}`
}

async function startRole(role, redis, ...args) {
  const child = start(process.execPath, [
    ...[cli, role, '--directory', redis, '--port', '0'],
    ...args,
  ])
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ...JSON.parse(line), pid: child.pid, child }
}

async function until(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function lease(url) {
  const { status, body } = await send('POST', `${url}/_sim/worlds`, { lease_seconds: 600 })
  if (status !== 201) throw new Error(`POST /_sim/worlds: ${status} ${JSON.stringify(body)}`)
  return body
}
const giveBack = (url, { id }) => send('DELETE', `${url}/_sim/worlds/${id}`)

/** One request in turn to the front and to the worker itself: what lies between them is the front. */
async function measureFront(front, worker) {
  const world = await lease(front.url)
  const ask = (url) =>
    send('GET', `${url}/networks`, undefined, { authorization: `Bearer ${world.apiKey}` })
  const samples = { front: [], worker: [] }
  for (let i = -100; i < requests; i++)
    for (const [name, { url }] of Object.entries({ front, worker })) {
      const took = await timed(() => ask(url))
      if (i >= 0) samples[name].push(took)
    }
  await giveBack(front.url, world)
  const added = (p) => (percentile(samples.front, p) - percentile(samples.worker, p)).toFixed(2)
  console.log(`GET /networks at the worker    ${describe(samples.worker)} of ${requests}`)
  console.log(`GET /networks at the front     ${describe(samples.front)}`)
  // What is quick was disturbed least by what else the machine does.
  console.log(`  added at p50 ${added(0.5)} ms (aim: under 1 ms), at p10 ${added(0.1)} ms`)
}

/** As many clients as there are worlds lease one and give it back, again and again. */
async function measureLeases(front, count, worlds) {
  const first = await Promise.all(Array.from({ length: worlds }, () => lease(front.url)))
  await Promise.all(first.map((world) => giveBack(front.url, world)))
  const times = []
  const client = async () => {
    for (let i = 0; i < leases / worlds; i++) {
      let world
      times.push(
        await timed(async () => {
          world = await lease(front.url)
        }),
      )
      await giveBack(front.url, world)
    }
  }
  const took = await timed(() => Promise.all(Array.from({ length: worlds }, client)))
  const rate = (1000 * times.length) / took
  console.log(
    `leases, ${count} workers, ${worlds} clients  ${rate.toFixed(1)} a second, ${describe(times)}`,
  )
}

/** Megabytes and share of a core that worlds take which do nothing. */
async function measureWorlds(front, worker, count) {
  const { held: before } = treeMemory(worker.pid)
  const worlds = []
  for (let i = 0; i < count; i++) worlds.push(await lease(front.url))
  const megabytes = (treeMemory(worker.pid).held - before) / count
  const seconds = 10
  const begun = cpuSeconds(worker.pid)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const share = (cpuSeconds(worker.pid) - begun) / seconds / count
  console.log(
    `a world that does nothing      ${megabytes.toFixed(0)} MB, ${(100 * share).toFixed(1)} % of a core`,
  )
  for (const world of worlds) await giveBack(front.url, world)
}

/** Processor time of a process and all that descend from it (Linux). */
function cpuSeconds(root) {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const tree = [root]
  for (const pid of tree) tree.push(...rows.filter(([, of]) => of === pid).map(([id]) => id))
  return tree.reduce((total, pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
      return total + (Number(fields[11]) + Number(fields[12])) / 100
    } catch {
      return total // It has ended since the listing.
    }
  }, 0)
}

/** The steps of the directory a second, with a thousand workers in it, from one process that asks 50 at once. */
async function measureRedis(url) {
  let directory
  await new Promise((resolve) => {
    directory = redisDirectory({ url, onReached: resolve })
  })
  const worker = (i) => ({ id: `bench_${i}`, url: 'http://10.0.0.1:4500', warm: 2, room: 1e6 })
  for (let i = 0; i < 1000; i++) await directory.announce(worker(i), 600_000)
  const leaseOf = (i) => ({
    ...{ id: `wld_bench_${i}`, keyHash: `${i}`.padStart(64, '0') },
    ...{ worker: { id: `bench_${i % 1000}`, url: 'http://10.0.0.1:4500' } },
    ...{ leaseSeconds: 60, leaseUntilMs: Date.now() },
  })
  const steps = {
    announce: (i) => directory.announce(worker(i % 1000), 600_000),
    place: () => directory.place(),
    put: (i) => directory.put(leaseOf(i), 600_000),
    find: (i) => directory.ofKeyHash(leaseOf(i).keyHash),
    remove: (i) => directory.remove(leaseOf(i)),
  }
  const each = 10 * requests
  for (const [name, step] of Object.entries(steps)) {
    let next = 0
    const work = async () => {
      while (next < each) await step(next++)
    }
    const took = await timed(() => Promise.all(Array.from({ length: 50 }, work)))
    console.log(`Redis, ${name.padEnd(23)} ${((1000 * each) / took).toFixed(0)} a second`)
  }
  await directory.close()
}

const redis = await startRedis()
try {
  for (const count of values.workers.split(',').map(Number)) {
    const workers = []
    for (let i = 0; i < count; i++)
      workers.push(await startRole('worker', redis, '--max-worlds', `${Math.max(1, 4 / count)}`))
    const front = await startRole('front', redis)
    await until(
      async () => (await send('GET', `${front.url}/_sim/worlds`)).body.most >= Math.max(4, count),
    )
    if (count === 1) {
      await measureFront(front, workers[0])
      await measureWorlds(front, workers[0], 4)
    }
    await measureLeases(front, count, 4)
    for (const { child } of [...workers, front]) await stop(child)
    // Until the directory has forgotten them.
    await new Promise((resolve) => setTimeout(resolve, 3_500))
  }
  await measureRedis(redis)
} finally {
  closeConnections()
  for (const child of children) child.kill('SIGKILL')
}
