import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  cliFile,
  createAccount,
  emptyFolder,
  killRuns,
  runCli,
  startCli,
  startReady,
} from '../kit/cli.js'
import { childrenOf, waitUntilGone } from '../kit/processes.js'

// `exec`, `fund`, `openapi` and `doctor` as people meet them: the built program. Needs `npm run build` before.

afterEach(killRuns)

const node = process.execPath

/** `exec` of a piece of JavaScript. */
const script = (text: string): string[] => ['exec', '--', node, '-e', text]

test('default: exec tells the command where the simulator is, and ends with its code', async () => {
  const { code, stdout, stderr } = await runCli(
    script(`(async () => {
      const { SVC_BASE_URL, SVC_API_KEY, SVC_CONTROL_URL, SVC_RPC_POLYGON } = process.env
      const headers = { authorization: 'Bearer ' + SVC_API_KEY, 'content-type': 'application/json' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
      const accounts = await (await fetch(SVC_BASE_URL + '/accounts', { headers })).json()
      const control = (await fetch(SVC_CONTROL_URL + '/openapi.json')).status
      const chain = await (await fetch(SVC_RPC_POLYGON, { method: 'POST', headers, body })).json()
      const networks = Object.keys(process.env).filter((name) => name.startsWith('SVC_RPC_')).sort()
      console.log(JSON.stringify({ accounts, control, chainId: chain.result, networks }))
      process.exitCode = 42
    })()`),
  )
  expect(code, stderr).toBe(42)
  expect(JSON.parse(stdout)).toEqual({
    accounts: { accounts: [] },
    control: 200,
    chainId: '0x89',
    networks: ['ARBITRUM', 'BASE', 'MAINNET', 'OPTIMISM', 'POLYGON'].map((n) => `SVC_RPC_${n}`),
  })
})

test('behavior: what follows -- belongs to the command, flags too', async () => {
  const echo = 'console.log(JSON.stringify(process.argv.slice(1)))'
  const { stdout } = await runCli([...script(echo), '--', 'a b', '--port', '--help', ''])
  expect(JSON.parse(stdout)).toEqual(['a b', '--port', '--help', ''])
})

test('behavior: the faucet inside exec finds its simulator by itself', async () => {
  const inside = `
    ACCOUNT=$("$NODE" -e '${createInShell}')
    "$NODE" "$CLI" fund --account "$ACCOUNT" --asset USDC --amount 7 --network base`
  const env = { NODE: node, CLI: cliFile }
  const { code, stdout } = await runCli(['exec', '--', 'sh', '-c', inside], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^acc_\w+ now has 7 USDC on base \(smallest unit\), in its wallet 0x\w{40}\n$/,
  )
})

const createInShell = `
  const headers = { authorization: "Bearer " + process.env.SVC_API_KEY, "content-type": "application/json" }
  const body = JSON.stringify({ signer_type: "eoa", signer_address: "0x" + "a1".repeat(20) })
  fetch(process.env.SVC_BASE_URL + "/accounts", { method: "POST", headers, body })
    .then((response) => response.json())
    .then((account) => console.log(account.account_id))`

test('behavior: a command ended by a signal gives 128 and its number, nothing is left', async () => {
  const run = startCli(script("process.kill(process.pid, 'SIGKILL')"))
  expect(await run.ended).toEqual({ code: 137, signal: null })
  expect(childrenOf(run.pid)).toEqual([])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('behavior: %s is passed on to the command', async (signal, code) => {
  const run = startCli(script('console.log("runs"); setInterval(() => {}, 1000)'))
  await run.saying('stdout', /runs/)
  const children = childrenOf(run.pid)
  run.kill(signal)
  expect(await run.ended).toEqual({ code, signal: null })
  await waitUntilGone(children)
})

test('behavior: the command may answer a signal with a code of its own', async () => {
  const run = startCli(
    script(
      "process.on('SIGTERM', () => process.exit(5)); console.log('runs'); setInterval(() => {}, 1000)",
    ),
  )
  await run.saying('stdout', /runs/)
  run.kill('SIGTERM')
  expect(await run.ended).toEqual({ code: 5, signal: null })
})

test('behavior: a signal during the start ends exec without running the command', async () => {
  const run = startCli(script('console.log("runs")'), { env: { SVC_SIM_VERBOSE: 'true' } })
  await run.saying('stderr', /starting 5 nodes/)
  run.kill('SIGTERM')
  expect(await run.ended).toEqual({ code: 143, signal: null })
  expect(run.stdout).toBe('')
})

test('error: a simulator that dies takes the command with it, and the code is 1', async () => {
  const run = startCli(script('console.log(process.pid); setInterval(() => {}, 1000)'))
  const [pid] = await run.saying('stdout', /^\d+/)
  process.kill(childrenOf(run.pid, 'anvil')[0]!, 'SIGKILL')
  expect(await run.ended).toEqual({ code: 1, signal: null })
  expect(run.stderr).toMatch(/node ended \(SIGKILL\)/)
  await waitUntilGone([Number(pid)])
})

test('error: a command that is not there, or cannot be run', async () => {
  const missing = await runCli(['exec', '--', 'svc-sim-no-such-command'])
  expect(missing).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('cannot run svc-sim-no-such-command: not found'),
  })
  const file = join(emptyFolder(), 'plain.txt')
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  const plain = await runCli(['exec', '--', file])
  expect(plain).toMatchObject({ code: 126, stderr: expect.stringContaining('EACCES') })
})

const fundArgs = ['fund', '--asset', 'USDC', '--network', 'base', '--account']

test('default: fund prints the new balance', async () => {
  const { ready } = await startReady('--host', '0.0.0.0', '--control-token', 'secret')
  const args = [...fundArgs, await createAccount(ready), '--base-url', `${ready.url}/`]
  const denied = await runCli([...args, '--amount', '5'])
  expect(denied).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--control-token'),
  })
  const withToken = [...args, '--control-token', 'secret']
  await runCli([...withToken, '--amount', '5'])
  const second = await runCli([...withToken, '--amount', '6'])
  expect(second).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('now has 11 USDC on base'),
  })
  const third = await runCli([...withToken, '--amount', '1', '--json'])
  expect(JSON.parse(third.stdout)).toMatchObject({ asset: 'USDC', network: 'base', balance: '12' })
  const refused = await runCli([...withToken, '--amount', '-6'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^svc-sim: POST \/fund: invalid_params: amount .*"-6"/)
})

test('error: fund where nothing listens, and where something else does', async () => {
  const server = createServer((_req, res) => res.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = [...fundArgs, 'acc_x', '--amount', '5', '--base-url', url]
  const other = await runCli(args)
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a simulator (status 200)'),
  })
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  const nobody = await runCli(args)
  expect(nobody.code).toBe(1)
  expect(nobody.stderr).toContain(`No simulator answers at ${url}/_sim (connect ECONNREFUSED`)
  expect(nobody.stderr).toContain('Start one with "npx svc-sim start"')
})

test.each([
  ['openapi.json', ['--format', 'json']],
  ['openapi.yaml', []],
  ['control.json', ['--control', '--format', 'json']],
  ['openapi-3.0.json', ['--oas', '3.0', '--format', 'json']],
])('default: openapi prints %s as it is committed', async (name, args) => {
  const committed = readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8')
  const printed = await runCli(['openapi', ...args])
  expect(printed).toEqual({ code: 0, stderr: '', stdout: committed })
  const out = join(emptyFolder(), name)
  const written = await runCli(['openapi', ...args, '--out', out])
  expect(written).toEqual({ code: 0, stderr: `svc-sim: wrote ${out}\n`, stdout: '' })
  expect(readFileSync(out, 'utf8')).toBe(committed)
})

test('behavior: a reader that has seen enough is no error', async () => {
  const child = spawn('sh', ['-c', '"$0" "$1" openapi | head -c 10', node, cliFile])
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text) => {
      output[name] += text
    })
  await once(child, 'close')
  expect(output).toEqual({ stdout: 'openapi: 3', stderr: '' })
})

test('behavior: the name of --out decides the format, unless --format does', async () => {
  const folder = emptyFolder()
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  for (const args of [
    ['--out', 'a.json'],
    ['--out', 'a.yaml'],
    ['--out', 'b.json', '--format', 'yaml'],
  ])
    expect((await runCli(['openapi', ...args], { cwd: folder })).code).toBe(0)
  expect(JSON.parse(read('a.json'))).toMatchObject({ openapi: '3.1.0' })
  expect(read('a.yaml')).toMatch(/^openapi: 3\.1\.0\n/)
  expect(read('b.json')).toBe(read('a.yaml'))
  const shell = await runCli(['openapi', '--format', 'sh'])
  expect(shell).toMatchObject({ code: 2, stderr: expect.stringContaining('yaml and json') })
})

test('error: openapi into a folder that is not there', async () => {
  const out = join(emptyFolder(), 'no', 'such', 'file')
  const { code, stderr } = await runCli(['openapi', '--out', out])
  expect(code).toBe(1)
  expect(stderr).toMatch(`svc-sim: cannot write to ${out}: ENOENT`)
})

test('default: doctor finds everything in order, and says the cure where it is not', async () => {
  const well = await runCli(['doctor', '--port', '0'])
  expect(well.code, well.stdout).toBe(0)
  expect(well.stdout.match(/^ok {4}(?=Node|anvil|port|offline world)/gm)).toHaveLength(4)
  const asJson = await runCli(['doctor', '--json', '--port', '0'])
  const { ok, checks } = JSON.parse(asJson.stdout)
  expect([ok, checks.length]).toEqual([true, 5])
  const server = createServer((_, res) => void res.end('{"name":"svc-sim"}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const taken = await runCli(['doctor', '--port', `${port}`])
  server.close()
  expect(taken.code).toBe(1)
  expect(taken.stdout).toContain(
    `FAIL  port ${port} on 127.0.0.1: in use\n      Stop the program that uses it`,
  )
})
