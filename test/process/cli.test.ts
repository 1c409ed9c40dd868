import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import type { Connect } from '../../src/http/routes/control/connect.js'
import {
  type CliRun,
  cliFile,
  createAccount,
  emptyFolder,
  killRuns,
  root,
  runCli,
  startCli,
  startReady,
} from '../kit/cli.js'
import { askService, rpc } from '../kit/http.js'
import { childrenOf, halt, isAlive, waitUntilGone } from '../kit/processes.js'

// `start` as people meet it: the built program in a process of its own. Needs `npm run build` before.

afterEach(killRuns)

/** Starts with a banner; resolves to the run when it has printed all of it. */
async function startBanner(...args: string[]) {
  const run = startCli(['start', '--port', '0', ...args])
  const [banner] = await run.saying('stdout', /[\s\S]*\ncurl .*\n/)
  return { run, banner }
}

/** Runs a line in a shell, as somebody who pastes it. */
async function paste(line: string | undefined, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, ...env } }
  return (await promisify(execFile)('sh', ['-c', line!], options)).stdout
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

test('behavior: the command that ends the banner works as printed, and again', async () => {
  const { run, banner } = await startBanner()
  expect(banner.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  const create = banner.trimEnd().split('\n').at(-1)
  const account = JSON.parse(await paste(create))
  expect(account).toMatchObject({ account_id: expect.stringMatching(/^acc_/) })
  expect(JSON.parse(await paste(create))).toMatchObject({ error: 'account_already_exists' })
  const [url] = /http:\/\/\S+/.exec(banner)!
  // Whether or not the documentation site is built.
  for (const [page] of banner.matchAll(/http:\/\/[^\s)]+\/_sim\/\S+|http:\/\/[^\s)]+\/docs/g))
    expect([page, (await fetch(page)).status]).toEqual([page, 200])
  await run.saying(
    'stderr',
    new RegExp(
      `^svc-sim: 409 account_already_exists {2}POST /accounts {2}.* {2}npx svc-sim why req_\\w+ --base-url ${url}\\n`,
      'm',
    ),
  )
})

test('behavior: svc-sim env points a shell at a running simulator; beyond loopback with its token', async () => {
  const start = ['--host', '0.0.0.0', '--control-token', 'secret+token==', '--api-key', 'two']
  const { banner } = await startBanner(...start)
  const url = /http:\/\/\S+/.exec(banner)![0].replace('0.0.0.0', '127.0.0.1')
  const env = { SVC_SIM_CONTROL_TOKEN: 'secret+token==', SVC_BASE_URL: url }
  // Quoted or not.
  for (const command of [
    `eval "$('${process.execPath}' ${cliFile} env)"`,
    `eval $('${process.execPath}' ${cliFile} env)`,
  ]) {
    const seen = await paste(`${command}; env | grep ^SVC_ | grep -v ^SVC_SIM_`, env)
    expect(seen.trim().split('\n').sort()).toEqual([
      'SVC_API_KEY=two',
      `SVC_BASE_URL=${url}`,
      'SVC_CONTROL_TOKEN=secret+token==',
      `SVC_CONTROL_URL=${url}/_sim`,
      ...networkNames.map((name) => `SVC_RPC_${name.toUpperCase()}=${url}/rpc/${name}`).sort(),
    ])
  }
  const dotenv = await runCli(['env', '--format', 'dotenv'], { env })
  expect(dotenv.stdout).toContain(`SVC_BASE_URL=${url}\nSVC_API_KEY=two\n`)
  const refused = await runCli(['env', '--base-url', url])
  expect(refused.stderr).toContain('--control-token')
  const yaml = await runCli(['env', '--format', 'yaml'], { env })
  expect(yaml).toMatchObject({ code: 2, stderr: expect.stringContaining('sh, dotenv and json') })
})

test('behavior: what env says of chains, actors and contracts is so', async () => {
  const { ready } = await startReady('--api-key', 'one', '--api-key', 'two')
  const { stdout } = await runCli(['env', '--format', 'json', '--base-url', ready.url])
  const connect = JSON.parse(stdout) as Connect
  expect(connect).toMatchObject({ url: ready.url, apiKey: 'one', rpc: ready.rpc })
  const asJson = await runCli(['env', '--json', '--base-url', ready.url])
  expect(JSON.parse(asJson.stdout)).toEqual(connect)
  expect(connect.actors).toHaveLength(5)
  expect(Object.keys(connect.contracts).length).toBeGreaterThanOrEqual(10)
  for (const { address, privateKey } of connect.actors)
    expect(privateKeyToAddress(privateKey as `0x${string}`)).toBe(address)
  for (const name of networkNames) {
    const url = connect.rpc[name]
    expect(Number(await rpc(url, 'eth_chainId'))).toBe(connect.chainIds[name])
    for (const { address } of connect.actors)
      expect(await rpc(url, 'eth_getBalance', [address, 'latest'])).toBe('0x21e19e0c9bab2400000')
    for (const [contract, address] of Object.entries(connect.contracts))
      expect(await rpc(url, 'eth_getCode', [address, 'latest']), contract).toMatch(/^0x\w/)
  }
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
      ? /svc-sim: ready at \S+, seed \d+ \(random\)\n$/
      : new RegExp(`^svc-sim: listening on http://127.0.0.1:\\d+; starting 5 nodes
svc-sim: ready at http://127.0.0.1:\\d+, seed \\d+ \\(random\\)
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

test('error: a simulator that runs there already is named, with its version and folders', async () => {
  const dataDir = emptyFolder()
  const { run, ready } = await startReady('--data-dir', dataDir)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = `svc-sim ${version} already runs at ${ready.url} (process ${run.pid}, started in `
  const port = new URL(ready.url).port
  const second = await runCli(['start', '--port', port])
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(named) })
  expect(second.stderr).toContain(`its state in ${dataDir}). Use it, stop it, or start another one`)
  const doctor = await runCli(['doctor', '--port', port])
  expect(doctor.stdout).toContain(`ok    port ${port} on 127.0.0.1: ${named}`)
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
  expect(again.run.stderr).toContain(': resumed\n')
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
