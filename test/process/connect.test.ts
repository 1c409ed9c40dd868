import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import type { Connect } from '../../src/http/routes/control/connect.js'
import { leaseWorld, type Sim } from '../../src/index.js'
import { root } from '../kit/cli.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { startTlsProxy } from '../kit/tlsProxy.js'

// How clients find a simulator: GET /_sim, GET /_sim/connect, and the shape that all handles share.

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

async function connectAt(controlUrl: string): Promise<Connect> {
  return (await (await fetch(`${controlUrl}/connect`)).json()) as Connect
}

test('default: the snippets run as they are', async () => {
  const { snippets } = await connectAt(sim.controlUrl)
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-connect-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const run = async (file: string, ...args: string[]) =>
      (await promisify(execFile)(file, args, { cwd: folder })).stdout
    expect(await run('sh', '-c', snippets.curl!)).toContain('"networks"')
    expect(await run('python3', '-c', snippets.python!)).toContain("'networks'")
    for (const library of ['viem', 'ethers']) {
      await writeFile(join(folder, `${library}.mjs`), snippets[library]!)
      expect(await run(process.execPath, `${library}.mjs`), library).toMatch(/^\d+n?\n$/)
    }
    expect(snippets.dotenv).toContain(`SVC_RPC_BASE=${sim.rpc('base')}\n`)
    for (const name of networkNames) expect(snippets.wallet).toContain(sim.rpc(name))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('behavior: the URLs use the name under which the caller came', async () => {
  const { port } = new URL(sim.url)
  const { url, controlUrl, rpc } = await connectAt(`http://localhost:${port}/_sim`)
  expect([url, controlUrl]).toEqual([`http://localhost:${port}`, `http://localhost:${port}/_sim`])
  expect(rpc.polygon).toBe(`http://localhost:${port}/rpc/polygon`)
})

test('behavior: of a leased world they are its own', async () => {
  await using world = await leaseWorld({ url: sim.url })
  const connect = await connectAt(world.controlUrl)
  expect(connect).toMatchObject({
    url: sim.url,
    apiKey: world.apiKey,
    controlUrl: world.controlUrl,
  })
  for (const name of networkNames) expect(connect.rpc[name]).toBe(world.rpc(name))
  // The same by its key alone.
  const headers = { authorization: `Bearer ${world.apiKey}` }
  const byKey = await (await fetch(`${sim.controlUrl}/connect`, { headers })).json()
  expect(byKey).toEqual(connect)
})

test('behavior: a lease over TLS is used and released over TLS, also where the proxy names no scheme', async () => {
  await using proxy = await startTlsProxy(sim.url, 'localhost')
  const url = `https://localhost:${proxy.port}`
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-connect-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(
      join(folder, 'lease.mjs'),
      `import { leaseWorld } from '${pathToFileURL(join(root, 'dist/index.js'))}'
      const world = await leaseWorld({ url: '${url}', clock: 'frozen' })
      await world.clock.advance(60)
      const headers = { authorization: 'Bearer ' + world.apiKey, 'content-type': 'application/json' }
      const accounts = await fetch(world.url + '/accounts', { headers })
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
      const chain = await fetch(world.rpc('base'), { method: 'POST', headers, body })
      const connect = await (await fetch(world.controlUrl + '/connect', { headers })).json()
      await world.close()
      const again = await fetch(world.url + '/accounts', { headers })
      console.log(JSON.stringify({
        urls: [world.url, world.controlUrl, world.rpc('base')], connected: connect.apiKey === world.apiKey,
        accounts: accounts.status, chain: (await chain.json()).result, afterwards: again.status,
      }))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['lease.mjs'], {
      cwd: folder,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: proxy.certificate },
    })
    const { urls, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ connected: true, accounts: 200, chain: '0x2105', afterwards: 401 })
    for (const each of urls) expect(each.startsWith(`${url}`)).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('behavior: GET /_sim is an index whose paths exist, and neither is in the journal', async () => {
  const index = (await (await fetch(sim.controlUrl)).json()) as {
    pages: Record<string, string>
    document: string
    connect: string
    overview: string
  }
  expect(index).toMatchObject({ name: 'svc-sim', process: process.pid, dataDir: null })
  const { document, connect, overview, pages } = index
  for (const path of [document, connect, overview, pages.service, pages.control])
    expect((await fetch(sim.url + path)).status, path).toBe(200)
  const journal = await (await fetch(`${sim.controlUrl}/journal`)).text()
  for (const path of ['"/_sim"', '/_sim/connect']) expect(journal).not.toContain(path)
})

/** What a helper does that takes any of them. */
async function exercise(held: Sim): Promise<unknown[]> {
  const before = await held.clock.now()
  await held.clock.advance(60)
  const passed = Number(await held.clock.now()) - Number(before)
  const { id } = await held.faults.add({
    on: 'request',
    effect: 'hang',
    match: { path: '*/folio' },
  })
  const listed = (await held.faults.list()).length
  const removed = [await held.faults.remove(id), await held.faults.remove(id)]
  const snapshot = await held.snapshot('here')
  const names = (await held.snapshots.list()).map(({ name }) => name)
  await held.snapshots.delete(snapshot)
  const pages = [held.docsUrl, held.uiUrl!.replace(/ui\/$/, 'connect')]
  for (const page of pages) expect((await fetch(page)).status, page).toBe(200)
  return [Math.round(passed / 60_000), listed, removed, names, held.apiKeys.length]
}

test('behavior: createSimulator and leaseWorld have one shape, and take seed and clock alike', async () => {
  const frozenAt = new Date('2027-03-04T05:06:07Z')
  for (const seed of [7, 7n, '7']) {
    await using own = await createSimulator({ seed, clock: { frozenAt } })
    await using world = await leaseWorld({ url: sim.url, seed, clock: { frozenAt } })
    expect(own.seed).toBe(7n)
    expect([own.clock.now(), await world.clock.now()]).toEqual([frozenAt, frozenAt])
    const expected = [1, 1, [true, false], ['here'], 1]
    expect(await exercise(own as Sim)).toEqual(expected)
    expect(await exercise(world)).toEqual(expected)
  }
})
