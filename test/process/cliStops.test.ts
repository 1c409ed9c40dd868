import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type CliRun,
  createAccount,
  emptyFolder,
  killRuns,
  type Ready,
  runCli,
  startCli,
  startReady,
} from '../kit/cli.js'
import { askControl, askService, rpc } from '../kit/http.js'
import { makeNamedPipe } from '../kit/namedPipe.js'
import { childrenOf, halt, waitUntilGone, waitUntilNothingCarries } from '../kit/processes.js'
import { startUpstream } from '../kit/upstream.js'

// A stop ends although something hangs, and what has been asked before is answered. Needs `npm run build` before.

const isLinux = process.platform === 'linux'

afterEach(killRuns)

/** Resolves when a fault rule of this simulator holds so many calls. */
const untilHeld = (ready: Ready, count: number) =>
  vi.waitFor(
    async () => {
      const { faults } = (await askControl(ready, 'GET', '/faults')).body
      expect(faults.map(({ hits }: { hits: number }) => hits)).toEqual([count])
    },
    { timeout: 10_000, interval: 5 },
  )

describe('behavior: nodes that stand still do not hold up the end', () => {
  test('with a data folder, which has everything at the next start', async () => {
    const dataDir = emptyFolder()
    const { run, ready, nodes } = await startReady('--data-dir', dataDir)
    const id = await createAccount(ready)
    await halt(nodes.slice(0, 1))
    run.kill('SIGTERM')
    expect(await run.ended).toEqual({ code: 0, signal: null })
    expect(run.stderr).not.toContain('    at ')
    await waitUntilGone(nodes)
    const again = await startReady('--data-dir', dataDir)
    expect((await askService(again.ready, `/accounts/${id}`)).status).toBe(200)
    again.run.kill('SIGTERM')
    expect(await again.run.ended).toEqual({ code: 0, signal: null })
  })

  test('while they start', async () => {
    const run = startCli(['start', '--json', '--port', '0', '--data-dir', emptyFolder()])
    await run.saying('stderr', /starting 5 nodes/)
    const nodes = await vi.waitFor(
      () => {
        const found = childrenOf(run.pid, 'anvil')
        expect(found).toHaveLength(5)
        return found
      },
      { timeout: 10_000, interval: 1 },
    )
    for (const pid of nodes) process.kill(pid, 'SIGSTOP')
    run.kill('SIGTERM')
    expect((await run.ended).signal).toBe(null)
    await waitUntilGone(nodes)
  })
})

/** An endpoint that takes connections and never says a word. */
async function muteEndpoint() {
  const server = createServer()
  const asked = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe('behavior: a fork endpoint that does not answer does not hold up the end', () => {
  test.each([
    ['start', ['--json'], 0],
    ['exec', ['--', 'true'], 143],
  ])('of %s while it starts', async (command, words, code) => {
    const { url, asked } = await muteEndpoint()
    const port = command === 'start' ? ['--port', '0'] : []
    const run = startCli([command, ...port, '--fork', `base=${url}`, ...words])
    await asked
    run.kill('SIGTERM')
    expect(await run.ended).toEqual({ code, signal: null })
    expect(run.stdout).toBe('')
    expect(run.stderr).not.toContain('does not answer')
    if (isLinux) await waitUntilNothingCarries(run.mark)
  })

  test('while it runs; who asked for what lies there hears why there is no answer', async () => {
    await using upstream = await startUpstream('base')
    const { run, ready, nodes } = await startReady('--fork', `base=${upstream.url}`)
    const id = await createAccount(ready)
    upstream.mood = 'silent'
    upstream.asked.length = 0
    const folio = askService(ready, `/accounts/${id}/folio`)
    await vi.waitFor(() => expect(upstream.asked).not.toEqual([]), 10_000)
    run.kill('SIGTERM')
    const answer = await folio
    expect(answer.status).toBe(408)
    expect(answer.body).toMatchObject({ error: 'timeout', message: /being stopped/ })
    expect(await run.ended).toEqual({ code: 0, signal: null })
    await waitUntilGone(nodes)
  })
})

test('behavior: a client that does not read does not hold up the end', async () => {
  const { run, ready } = await startReady()
  const { hostname, port } = new URL(ready.url)
  const client = connect(Number(port), hostname)
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  // More than the system takes in on the way.
  client.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(20))
  await once(client, 'readable')
  run.kill('SIGTERM')
  expect(await run.ended).toEqual({ code: 0, signal: null })
})

test('behavior: what is under way at SIGTERM is answered', async () => {
  const { run, ready } = await startReady()
  const id = await createAccount(ready)
  const slow = { on: 'folio', effect: { latency: { ms: 600_000 } } }
  expect((await askControl(ready, 'POST', '/faults', slow)).status).toBe(201)
  const folio = askService(ready, `/accounts/${id}/folio`)
  await untilHeld(ready, 1)
  const polled = askService(ready, `/accounts/${id}/events?since=7&poll=true`)
  await rpc(ready.rpc.base!, 'eth_chainId') // by now the poll waits
  run.kill('SIGTERM')
  const [page, read] = await Promise.all([polled, folio])
  expect([page.status, page.body]).toEqual([200, { events: [], cursor: 7 }])
  expect(read.status).toBe(200)
  expect(read.body).toMatchObject({ folio: { balances: {} } })
  expect(await run.ended).toEqual({ code: 0, signal: null })
})

test('behavior: a stream ends whole at SIGTERM', async () => {
  const { run, ready } = await startReady()
  const id = await createAccount(ready)
  const headers = { authorization: `Bearer ${ready.apiKey}` }
  const { body, status } = await fetch(`${ready.url}/accounts/${id}/folio/stream`, { headers })
  expect(status).toBe(200)
  run.kill('SIGTERM')
  let text = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
  expect(text).toMatch(/^event: snapshot\ndata: .*\n\n/)
  expect((await run.ended).code).toBe(0)
})

describe('error: a data folder that cannot be made ends the start with 1 and the reason', () => {
  /** Places where none can be, and what is said. */
  const places: [string, string, (folder: string) => string][] = [
    ['a file', 'something that is no folder has its name', (folder) => join(folder, 'file')],
    ['below a file', 'a part of its path is no folder', (folder) => join(folder, 'file/data')],
    ['a dangling link', 'something that is no folder', (folder) => join(folder, 'dangling')],
    ['below a named pipe', 'a part of its path is no folder', (folder) => join(folder, 'pipe/d')],
  ]
  // Where `mkdir` with `recursive` would try for ever.
  if (isLinux)
    places.push(['below /proc', 'no folder can be made there', () => '/proc/svc-sim/data'])
  test.each(places)('%s: %s', async (_, why, place) => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'file'), '')
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    makeNamedPipe(join(folder, 'pipe'))
    const dataDir = place(folder)
    const run = startCli(['start', '--json', '--port', '0', '--data-dir', dataDir])
    expect(await run.ended).toEqual({ code: 1, signal: null })
    expect(run.stdout).toBe('')
    expect(run.stderr).toContain(`The data directory ${dataDir} cannot be made: ${why}`)
    expect(run.stderr).not.toContain('    at ')
    if (isLinux) await waitUntilNothingCarries(run.mark)
  })
})

test.runIf(process.platform !== 'win32')(
  'behavior: file work that hangs does not hold up the end',
  async () => {
    const dataDir = emptyFolder()
    // Whoever reads it waits for a writer that never comes.
    makeNamedPipe(join(dataDir, 'svc-sim.lock'))
    const run = startCli(['start', '--json', '--port', '0', '--data-dir', dataDir])
    await run.saying('stderr', /starting 5 nodes/)
    run.kill('SIGTERM')
    await run.ended
    expect(run.stderr).toContain('svc-sim: stopped\n')
    if (isLinux) await waitUntilNothingCarries(run.mark)
  },
)

describe('a folder that a dead simulator has locked', () => {
  /** A folder whose simulator was killed. */
  async function left(): Promise<{ dataDir: string; lockFile: string; id: string }> {
    const dataDir = emptyFolder()
    const { run, ready, nodes } = await startReady('--data-dir', dataDir)
    const id = await createAccount(ready)
    run.kill('SIGKILL')
    await run.ended
    await waitUntilGone(nodes)
    return { dataDir, lockFile: join(dataDir, 'svc-sim.lock'), id }
  }

  test('behavior: is used although another program has its pid by now', async () => {
    const { dataDir, lockFile, id } = await left()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
    writeFileSync(lockFile, JSON.stringify({ ...lock, pid: other.pid }))
    const { ready } = await startReady('--data-dir', dataDir)
    expect((await askService(ready, `/accounts/${id}`)).status).toBe(200)
  })

  test('behavior: of two that start at once one gets it, and is not disturbed', async () => {
    const { dataDir, id } = await left()
    const args = ['start', '--json', '--port', '0', '--data-dir', dataDir]
    const runs = [startCli(args), startCli(args)]
    const isReady = (run: CliRun) =>
      run.saying('stdout', /^.*\n/).then(
        ([line]) => JSON.parse(line) as Ready,
        () => undefined,
      )
    const ready = await Promise.all(runs.map(isReady))
    expect(ready.filter(Boolean)).toHaveLength(1)
    const loser = runs[ready.indexOf(undefined)]!
    expect((await loser.ended).code).toBe(1)
    expect(loser.stderr).toMatch(/in use by process \d+/)
    expect((await askService(ready.find(Boolean)!, `/accounts/${id}`)).status).toBe(200)
    const third = await runCli(args)
    expect(third).toMatchObject({ code: 1, stderr: expect.stringContaining('in use by process') })
  })
})
