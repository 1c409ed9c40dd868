import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { worldDir } from '../../../chain/genesis/load.js'
import { anvilBinary, anvilVersion } from '../../../chain/process/anvil.js'
import { networkNames } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import { checkAnvil, checkNode, checkPort, checkSockets, checkWorld } from './checks.js'
import { oldestNode } from './nodeVersion.js'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('default: the machine that runs the tests can run the simulator', async () => {
  expect(checkNode(process.version)).toEqual({ what: 'Node', found: process.version })
  expect((await checkAnvil(anvilBinary, anvilVersion())).cure).toBeUndefined()
  expect(await checkSockets()).toEqual({ what: 'temporary files', found: tmpdir() })
  expect(await checkPort('127.0.0.1', 0)).toMatchObject({ found: 'free' })
  expect(checkWorld(worldDir, anvilVersion(), svcAddresses.factory).cure).toBeUndefined()
})

test('behavior: the oldest Node is the one of package.json', () => {
  const { engines } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as { engines: { node: string } }
  expect(engines.node).toBe(`>=${oldestNode}`)
})

test.each(['v20.19.0', 'v20.20.2', 'v22.0.0', 'v24.1.0-nightly'])(
  'behavior: Node %s will do',
  (version) => {
    expect(checkNode(version).cure).toBeUndefined()
  },
)

test.each(['v20.18.9', 'v18.20.0', 'v19.99.0'])('error: Node %s is too old', (version) => {
  expect(checkNode(version)).toMatchObject({
    found: version,
    cure: expect.stringContaining('Install Node 20.19.0'),
  })
})

function scriptOf(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-sim-doctor-')), 'anvil')
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

test('error: anvil is missing, of another version, or does not run', async () => {
  expect(await checkAnvil(() => anvilBinary('sunos', 'sparc'), '1.7.1')).toMatchObject({
    found: 'not installed',
    cure: expect.stringContaining('cannot run on sunos sparc'),
  })
  const other = scriptOf('#!/bin/sh\necho "anvil Version: 1.2.3-stable"\n')
  expect(await checkAnvil(() => other, '1.7.1')).toMatchObject({
    found: `version 1.2.3, but 1.7.1 is needed (${other})`,
    cure: expect.stringContaining('npm install'),
  })
  const broken = scriptOf('#!/bin/sh\necho "no such libc" >&2\nexit 1\n')
  expect(await checkAnvil(() => broken, '1.7.1')).toMatchObject({
    found: expect.stringMatching(/does not run: .*no such libc/s),
    cure: expect.stringContaining('on this machine'),
  })
})

test('error: anvil may not be executed, or no libc of this machine is its own', async () => {
  const locked = scriptOf('#!/bin/sh\n')
  chmodSync(locked, 0o644)
  expect((await checkAnvil(() => locked, '1.7.1')).cure).toMatch(
    /^anvil may not be executed: .*noexec/,
  )
  vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} })
  expect((await checkAnvil(() => locked, '1.7.1')).cure).toMatch(/^anvil needs glibc .* musl/)
})

test('error: no folder for temporary files, with the cure', async () => {
  vi.stubEnv('TMPDIR', '/proc/nowhere')
  expect(await checkSockets()).toMatchObject({
    found: 'not usable',
    cure: expect.stringContaining('Set TMPDIR to a folder that exists'),
  })
})

test('error: a port in use, and a host that is not of this machine', async () => {
  const server = createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect(await checkPort('127.0.0.1', port)).toMatchObject({
    what: `port ${port} on 127.0.0.1`,
    found: 'in use',
    cure: expect.stringContaining('--port'),
  })
  // An address of a documentation range: nobody has it.
  expect(await checkPort('192.0.2.1', 0)).toMatchObject({
    found: expect.stringContaining('EADDRNOTAVAIL'),
    cure: expect.stringContaining('--host'),
  })
})

test('error: a world that is missing, incomplete, of another anvil, or of other contracts', () => {
  const factory = '0x00000000000000000000000000000000000000fa'
  const dir = mkdtempSync(join(tmpdir(), 'svc-sim-doctor-'))
  expect(checkWorld(dir, '1.7.1', factory)).toMatchObject({
    found: 'not usable',
    cure: expect.stringContaining('npm run build'),
  })
  const files = Object.fromEntries(networkNames.map((name) => [name, `${name}.json`]))
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ hash: 'ab', anvil: '1.0.0', files }))
  expect(checkWorld(dir, '1.7.1', factory).cure).toContain('mainnet.json is missing')
  for (const file of Object.values(files)) writeFileSync(join(dir, file), `{"${factory}":1}`)
  expect(checkWorld(dir, '1.7.1', factory)).toMatchObject({
    found: expect.stringContaining('built by anvil 1.0.0'),
    cure: expect.stringContaining('npm run build'),
  })
  expect(checkWorld(dir, '1.0.0', factory)).toEqual({
    what: 'offline world',
    found: 'ready (build ab)',
  })
  writeFileSync(join(dir, 'base.json'), '{}')
  expect(checkWorld(dir, '1.0.0', factory)).toMatchObject({
    found: `outdated: no contract at ${factory} on base`,
    cure: expect.stringContaining('npm run build'),
  })
})
