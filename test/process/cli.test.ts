import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { createAccount, emptyFolder, killRuns, runCli, startCli, startReady } from '../kit/cli.js'
import { askService, rpc } from '../kit/http.js'
import { childrenOf, halt, waitUntilGone } from '../kit/processes.js'

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

test('behavior: each step is a line on stderr', async () => {
  const { run } = await startReady()
  run.kill('SIGTERM')
  await run.ended
  expect(run.stderr.replace(/:\d+/g, ':PORT').replace(/seed \d+/, 'seed N')).toMatchInlineSnapshot(`
    "svc-sim: listening on http://127.0.0.1:PORT; starting 5 nodes
    svc-sim: nodes answer; putting the service on them
    svc-sim: seed N, drawn
    svc-sim: ready at http://127.0.0.1:PORT
    svc-sim: SIGTERM: stopping
    svc-sim: stopped
    "
  `)
})

test('behavior: the commands that end the banner work as printed, and again', async () => {
  const banner = await startBanner()
  const [create, fund, folio] = banner.trimEnd().split('\n').slice(-3)
  expect(await paste(create)).toMatchObject({ account_id: expect.stringMatching(/^acc_/) })
  expect(await paste(fund)).toMatchObject({ asset: 'USDC', balance: '100000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['100e6'])
  expect(await paste(create)).toMatchObject({ error: 'account_already_exists' })
  expect(await paste(fund)).toMatchObject({ balance: '200000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['200e6'])
})

test('behavior: bound beyond loopback, the commands carry the control token', async () => {
  const banner = await startBanner('--host', '0.0.0.0', '--control-token', 'secret+token==')
  const [create, fund, folio] = banner.trimEnd().split('\n').slice(-3)
  await paste(create)
  expect(await paste(fund)).toMatchObject({ balance: '100000000' })
  expect(Object.values((await paste(folio)).folio.balances)).toEqual(['100e6'])
})

test('behavior: what the banner says of keys, URLs, actors and contracts is so', async () => {
  const banner = await startBanner('--api-key', 'one', '--api-key', 'two')
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
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'behavior: %s leaves nothing behind',
  async (signal) => {
    const { run } = await startReady()
    const children = childrenOf(run.pid)
    run.kill(signal)
    expect(await run.ended).toEqual({ code: 0, signal: null })
    await waitUntilGone(children)
  },
)

test('behavior: SIGKILL leaves nothing behind', async () => {
  const { run } = await startReady()
  const children = childrenOf(run.pid)
  run.kill('SIGKILL')
  expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' })
  await waitUntilGone(children)
})

test('behavior: Ctrl-C while it starts stops it, without a line of JSON', async () => {
  const run = startCli(['start', '--json', '--port', '0'])
  await run.saying('stderr', /starting 5 nodes/)
  run.kill('SIGINT')
  expect(await run.ended).toEqual({ code: 0, signal: null })
  expect(run.stdout).toBe('')
  expect(childrenOf(run.pid)).toEqual([])
})

test('behavior: two signals at once, as a Ctrl-C under npx, are one request and all is saved', async () => {
  const dataDir = emptyFolder()
  const { run, ready } = await startReady('--data-dir', dataDir)
  const id = await createAccount(ready)
  run.kill('SIGINT')
  run.kill('SIGTERM') // another one, because the system may merge two of the same
  expect(await run.ended).toEqual({ code: 0, signal: null })
  const again = await startReady('--data-dir', dataDir)
  expect((await askService(again.ready, `/accounts/${id}`)).status).toBe(200)
  expect(again.run.stderr).toContain('going on where it stood')
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

test('error: a node that dies ends the simulator with 1 and its last words', async () => {
  const { run, nodes } = await startReady()
  process.kill(nodes[0]!, 'SIGKILL')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  expect(run.stderr).toMatch(/the (mainnet|base|arbitrum|optimism|polygon) node ended \(SIGKILL\)/)
  expect(run.stderr).not.toContain('    at ')
  await waitUntilGone(nodes)
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

test('error: a host that is not of this machine, and a data folder in use', async () => {
  // An address of a documentation range: nobody has it.
  const elsewhere = await runCli(['start', '--host', '192.0.2.1', '--control-token', 'x'])
  expect(elsewhere).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Choose another --host'),
  })
  const dataDir = emptyFolder()
  const { run } = await startReady('--data-dir', dataDir)
  const second = await runCli(['start', '--port', '0', '--data-dir', dataDir])
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`in use by process ${run.pid}`),
  })
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
