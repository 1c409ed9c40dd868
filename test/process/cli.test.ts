import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import {
  type CliRun,
  createAccount,
  emptyFolder,
  killRuns,
  runCli,
  startCli,
  startReady,
} from '../kit/cli.js'
import { askService, rpc } from '../kit/http.js'
import { childrenOf, halt, isAlive, waitUntilGone } from '../kit/processes.js'

// `start` as people meet it: the built program in a process of its own. Needs `npm run build` before.

afterEach(killRuns)

/** Starts with a banner; resolves to all of it. */
async function startBanner(...args: string[]): Promise<string> {
  const run = startCli(['start', '--port', '0', ...args])
  await run.saying('stdout', /\/folio.*\n$/)
  return run.stdout
}

/** Runs a line of the banner in a shell, as somebody who pastes it. */
async function paste(line: string | undefined) {
  const { stdout } = await promisify(execFile)('sh', ['-c', line!])
  return JSON.parse(stdout) as Record<string, string> & { folio: { balances: object } }
}

test('default: --json is one line with everything a program needs, and Ctrl-C ends it with 0', async () => {
  const { run, ready, nodes } = await startReady()
  expect(Object.keys(ready)).toEqual(['url', 'apiKey', 'controlUrl', 'docsUrl', 'ui', 'rpc'])
  expect(Object.keys(ready.rpc)).toEqual(networkNames)
  expect((await askService(ready, '/accounts')).status).toBe(200)
  expect((await fetch(ready.docsUrl)).status).toBe(200)
  expect((await fetch(`${ready.controlUrl}/openapi.json`)).status).toBe(200)
  expect(await rpc(ready.rpc.polygon!, 'eth_chainId')).toBe('0x89')
  expect(nodes).toHaveLength(networkNames.length)
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 0, signal: null })
  expect(run.stdout).toBe(`${JSON.stringify(ready)}\n`)
  await waitUntilGone(nodes)
})

test('behavior: the commands that end the banner work as printed, and again; what it says of keys, URLs, actors and contracts is so', async () => {
  const banner = await startBanner('--api-key', 'one', '--api-key', 'two')
  const [create, fund, folio] = banner.trimEnd().split('\n').slice(-3)
  expect(await paste(create)).toMatchObject({ account_id: expect.stringMatching(/^acc_/) })
  expect(await paste(fund)).toMatchObject({ asset: 'USDC', balance: '100000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['100e6'])
  expect(await paste(create)).toMatchObject({ error: 'account_already_exists' })
  expect(await paste(fund)).toMatchObject({ balance: '200000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['200e6'])
  await expectTrue(banner)
})

async function expectTrue(banner: string): Promise<void> {
  for (const key of ['one', 'two']) expect(banner).toContain(`Authorization: Bearer ${key})`)
  const urls = [...banner.matchAll(/http:\/\/\S+\/(?:docs|openapi\.json|ready)\b/g)]
  expect(urls).toHaveLength(4)
  for (const [url] of urls) expect((await fetch(url)).status, url).toBe(200)

  const chains = [...banner.matchAll(/(http:\/\/\S+\/rpc\/\w+) {3}\(chain id (\d+)\)/g)]
  expect(chains).toHaveLength(networkNames.length)
  const actors = [...banner.matchAll(/^ {2}(0x\w{40}) {2}(0x\w{64})$/gm)]
  expect(actors).toHaveLength(5)
  for (const [, address, privateKey] of actors)
    expect(privateKeyToAddress(privateKey as `0x${string}`)).toBe(address)
  const contracts = [...banner.matchAll(/^ {2}[a-z][\w ]+ (0x\w{40})$/gm)]
  expect(contracts.length).toBeGreaterThanOrEqual(10)
  for (const [, url = '', chainId] of chains) {
    expect(Number(await rpc(url, 'eth_chainId'))).toBe(Number(chainId))
    for (const [, address] of actors)
      expect(await rpc(url, 'eth_getBalance', [address, 'latest'])).toBe('0x21e19e0c9bab2400000')
    for (const [line, address] of contracts)
      expect(await rpc(url, 'eth_getCode', [address, 'latest']), line).toMatch(/^0x\w/)
  }
}

test('behavior: bound beyond loopback, the commands carry the control token', async () => {
  const banner = await startBanner('--host', '0.0.0.0', '--control-token', 'secret+token==')
  const [create, fund, folio] = banner.trimEnd().split('\n').slice(-3)
  await paste(create)
  expect(await paste(fund)).toMatchObject({ balance: '100000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['100e6'])
})

/** What ends `start`; its code; what it has said by then. */
interface Ending {
  end(run: CliRun, nodes: number[]): unknown
  code: number | null
  says: RegExp
}
const bySignal = (signal: NodeJS.Signals): Ending => ({
  end: (run) => run.kill(signal),
  code: signal === 'SIGKILL' ? null : 0,
  // Each step is a line.
  says:
    signal === 'SIGKILL'
      ? /svc-sim: ready at \S+\n$/
      : new RegExp(`^svc-sim: listening on http://127.0.0.1:\\d+; starting 5 nodes
svc-sim: nodes answer; putting the service on them
svc-sim: seed \\d+, drawn
svc-sim: ready at http://127.0.0.1:\\d+
svc-sim: ${signal}: stopping
svc-sim: stopped
$`),
})
/** A failure in the middle of the program, as a defect would be: in a timer, or in a promise that nobody awaits. */
const byDefect = (at: NodeJS.Signals): Ending => ({
  end: (run) => run.kill(at),
  code: 1,
  says: /svc-sim: stopped by an unexpected failure[\s\S]*TypeError: nobody thought of this/,
})
const endings: Record<string, Ending> = {
  SIGTERM: bySignal('SIGTERM'),
  SIGHUP: bySignal('SIGHUP'),
  SIGKILL: bySignal('SIGKILL'),
  'SIGTERM while its nodes stand still': {
    ...bySignal('SIGTERM'),
    end: async (run, nodes) => {
      await halt(nodes)
      run.kill('SIGTERM')
    },
  },
  'a node that dies': {
    end: (_, nodes) => process.kill(nodes[0]!, 'SIGKILL'),
    code: 1,
    says: /the (mainnet|base|arbitrum|optimism|polygon) node ended \(SIGKILL\)/,
  },
  'an exception that nobody catches': byDefect('SIGUSR2'),
  'a promise that nobody awaits': byDefect('SIGWINCH'),
}
const defects = `
  const defect = () => new TypeError('nobody thought of this')
  process.on('SIGUSR2', () => setImmediate(() => { throw defect() }))
  process.on('SIGWINCH', () => setImmediate(() => void Promise.reject(defect())))`
const preload = ['--import', `data:text/javascript,${encodeURIComponent(defects)}`]

test.each(Object.entries(endings))(
  'behavior: start ended by %s: the code and the last words say so, and nothing is left',
  async (how, { end, code, says }) => {
    const run = startCli(['start', '--json', '--port', '0'], { nodeArgs: preload })
    const [line] = await run.saying('stdout', /^.*\n/)
    const children = childrenOf(run.pid)
    const nodes = childrenOf(run.pid, 'anvil')
    expect(nodes).toHaveLength(networkNames.length)
    await end(run, nodes)
    expect(await run.ended).toEqual({ code, signal: code === null ? how : null })
    expect(run.stdout).toBe(line)
    expect(run.stderr).toMatch(says)
    // Of a defect the place in the program is shown; whoever ends it otherwise has no use for that.
    if (!says.source.includes('nobody')) expect(run.stderr).not.toContain('    at ')
    // Who ends by itself ends the nodes before.
    if (code !== null) expect(nodes.filter(isAlive)).toEqual([])
    await waitUntilGone(children)
  },
)

test('behavior: Ctrl-C while it starts stops it, without a line of JSON', async () => {
  const run = startCli(['start', '--json', '--port', '0'])
  await run.saying('stderr', /starting 5 nodes/)
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 0, signal: null })
  expect(run.stdout).toBe('')
  expect(childrenOf(run.pid)).toEqual([])
})

test('behavior: a second Ctrl-C does not wait for a stop that hangs', async () => {
  const { run, nodes } = await startReady('--data-dir', emptyFolder())
  await halt(nodes) // so that they cannot be saved
  run.kill('SIGINT')
  await run.saying('stderr', /SIGINT: stopping, saving to/)
  const impatient = setInterval(() => run.kill('SIGINT'), 50)
  const ended = await run.ended
  clearInterval(impatient)
  expect(ended).toEqual({ code: 130, signal: null })
  await waitUntilGone(nodes)
})

test('options: keys, revoked keys and seed reach the service', async () => {
  const args = ['--api-key', 'mine', '--revoked-api-key', 'old', '--seed', '7']
  const [first, second] = await Promise.all([startReady(...args), startReady(...args)])
  expect(await createAccount(first.ready)).toBe(await createAccount(second.ready))
  expect(first.ready.apiKey).toBe('mine')
  expect(await askService(first.ready, '/accounts', { apiKey: 'old' })).toMatchObject({
    status: 401,
    body: { error: 'api_key_revoked' },
  })
  const wrong = await askService(first.ready, '/accounts', {
    apiKey: 'qk_local0_00000000000000000000',
  })
  expect(wrong.body.error).toBe('invalid_api_key')
})

test('error: with a data folder a node comes back twice within a minute; the third time ends it with 1, and the folder has everything', async () => {
  const dataDir = emptyFolder()
  const { run, ready, nodes } = await startReady('--data-dir', dataDir)
  const id = await createAccount(ready)
  const others = nodes.slice(1)
  const running = () => childrenOf(run.pid, 'anvil')
  for (const death of [1, 2]) {
    process.kill(running().find((pid) => !others.includes(pid))!, 'SIGKILL')
    const said = new RegExp(`(node ended \\(SIGKILL\\), and was started again[^]*){${death}}`)
    await run.saying('stderr', said)
    expect((await askService(ready, `/accounts/${id}`)).status).toBe(200)
  }
  const last = running()
  expect(last).toHaveLength(5)
  process.kill(last.find((pid) => !others.includes(pid))!, 'SIGKILL')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  expect(run.stderr).toContain('node ended (SIGKILL) for the third time within a minute')
  await waitUntilGone(last)
  const again = await startReady('--data-dir', dataDir)
  expect((await askService(again.ready, `/accounts/${id}`)).status).toBe(200)
})

test('error: a port in use is named, with the cure, and nothing is started', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, stdout, stderr } = await runCli(['start', '--port', `${port}`])
  server.close()
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use`)
  expect(stderr).toContain('--port (0 takes a free one)')
})

test('error: a host that is not of this machine', async () => {
  // An address of a documentation range: nobody has it.
  const elsewhere = await runCli(['start', '--host', '192.0.2.1', '--control-token', 'x'])
  expect(elsewhere).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Choose another --host'),
  })
})

test('behavior: a data folder in use is refused; two signals at once, as a Ctrl-C under npx, are one request, and all is saved for the next start', async () => {
  const dataDir = emptyFolder()
  const { run, ready } = await startReady('--data-dir', dataDir)
  const id = await createAccount(ready)
  const second = await runCli(['start', '--port', '0', '--data-dir', dataDir])
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`in use by process ${run.pid}`),
  })
  run.kill('SIGINT')
  run.kill('SIGTERM') // another one, because the system may merge two of the same
  expect(await run.ended).toEqual({ code: 0, signal: null })
  const again = await startReady('--data-dir', dataDir)
  expect((await askService(again.ready, `/accounts/${id}`)).status).toBe(200)
  expect(again.run.stderr).toContain('going on where it stood')
})

test('error: an old Node is told before anything else is loaded', async () => {
  const pretend = "Object.defineProperty(process, 'version', { value: 'v18.20.8' })"
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
  const { code, stderr } = await runCli(['start'], { nodeArgs })
  expect(code).toBe(1)
  expect(stderr).toBe(
    'svc-sim: Node v18.20.8 is too old: 20.19.0 or newer is needed. Install one from https://nodejs.org and start again.\n',
  )
})
