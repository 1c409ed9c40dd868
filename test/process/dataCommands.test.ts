import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { createSimulator } from '../../src/index.js'
import { readContents } from '../../src/wal/exportFile.js'
import { readAnyManifest, writeManifest } from '../../src/wal/manifest.js'
import {
  createAccount,
  install,
  killRuns,
  type Ready,
  runCli,
  startCli,
  startProgram,
  startReady,
} from '../kit/cli.js'
import { rpc } from '../kit/http.js'
import { smallDisk } from '../kit/smallDisk.js'

// `svc-sim data` and `--from-export` as people meet them: the built program. Needs `npm run build` before.

afterEach(killRuns)

/** What a client sees: accounts, balances, and the latest block of each network. */
interface Seen {
  accounts: unknown
  balance: string
  blocks: Record<string, { number: string; hash: string }>
}

let root: string
/** A folder with an account that has funds; nobody changes it. */
let folder: string
let account: string
let seen: Seen

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-sim-data-'))
  folder = join(root, 'data')
  const { run, ready } = await startReady('--data-dir', folder)
  account = await createAccount(ready)
  await fetch(`${ready.controlUrl}/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_id: account, asset: 'USDC', amount: '7', network: 'base' }),
  })
  // Old blocks are as safe as new ones.
  await rpc(ready.rpc.base!, 'anvil_mine', [100])
  seen = await look(ready)
  run.kill('SIGTERM')
  expect(await run.ended).toMatchObject({ code: 0 })
})

const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

async function look(ready: Ready): Promise<Seen> {
  const response = await fetch(`${ready.url}/accounts`, {
    headers: { authorization: `Bearer ${ready.apiKey}` },
  })
  const { accounts } = (await response.json()) as { accounts: { svc_wallet_address: string }[] }
  const wallet = accounts[0]?.svc_wallet_address.slice(2).padStart(64, '0')
  const balance = await rpc<string>(ready.rpc.base!, 'eth_call', [
    { to: usdc, data: `0x70a08231${wallet}` },
    'latest',
  ])
  const blocks: Seen['blocks'] = {}
  for (const [network, url] of Object.entries(ready.rpc)) {
    const { number, hash } = await rpc<Seen['blocks'][string]>(url, 'eth_getBlockByNumber', [
      'latest',
      false,
    ])
    blocks[network] = { number, hash }
  }
  return { accounts, balance, blocks }
}

/** Whether a simulator has what was there when the first one was stopped. */
async function expectSame(ready: Ready): Promise<void> {
  const now = await look(ready)
  expect(now.accounts).toEqual(seen.accounts)
  expect(now.balance).toBe(seen.balance)
  expect(BigInt(now.balance)).toBe(7n)
  for (const [network, { number, hash }] of Object.entries(seen.blocks)) {
    const block = await rpc<{ hash: string }>(ready.rpc[network]!, 'eth_getBlockByNumber', [
      number,
      false,
    ])
    expect(block.hash, network).toBe(hash)
  }
}

/** Runs `svc-sim data ARGS` in the folder of the tests. */
const data = (...args: string[]) => runCli(['data', ...args], { cwd: root })

async function succeeds(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await data(...args)
  expect(code, stderr).toBe(0)
  return stdout
}

/** Resolves to what was said; there was nothing on standard output. */
async function fails(...args: string[]): Promise<string> {
  const { code, stderr } = await data(...args)
  expect(code, stderr).toBe(1)
  return stderr
}

async function contentsOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort()
  const entries = names.map(async (name) => [name, await readFile(join(dir, name), 'latin1')])
  return Object.fromEntries(await Promise.all(entries))
}

test('default: check says what is there and changes nothing', async () => {
  const before = await contentsOf(folder)
  const text = await succeeds('check', '--data-dir', folder)
  expect(text).toContain(`${folder}: intact.`)
  expect(text).toMatch(/ {2}base +\d\.\d MB, \d+ changes since\n/)
  expect(text).toMatch(
    /\nThis svc-sim can read it\. A start replays \d+ commands on its nodes, which this check does not try\.\n$/,
  )
  const found = JSON.parse(await succeeds('check', '--json', '--data-dir', folder))
  expect(found).toMatchObject({ folder, version: 5, anvil_version: '1.7.1', remarks: [] })
  const names = found.parts.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['base', 'clock', 'mainnet', 'store']))
  expect(await contentsOf(folder)).toEqual(before)
})

test('default: an export starts with the same accounts, funds and blocks', async () => {
  const first = await succeeds('export', 'first', '--data-dir', folder)
  expect(first).toMatch(/^first: \d\.\d MB; "svc-sim start --from-export first" starts from it\n$/)
  await succeeds('export', 'second', '--data-dir', folder)
  const [one, two] = [await readFile(join(root, 'first')), await readFile(join(root, 'second'))]
  expect(one.equals(two)).toBe(true)

  const snapshot = await startReady('--from-export', join(root, 'first'))
  await expectSame(snapshot.ready)
  snapshot.run.kill('SIGTERM')
  expect((await snapshot.run.ended).code, snapshot.run.stderr).toBe(0)
})

test('behavior: an export becomes a data folder, by a start or by import', async () => {
  await succeeds('export', 'to-keep', '--data-dir', folder)
  const kept = join(root, 'kept')
  const started = await startReady('--from-export', join(root, 'to-keep'), '--data-dir', kept)
  await expectSame(started.ready)
  started.run.kill('SIGTERM')
  await started.run.ended
  expect(await succeeds('check', '--data-dir', kept)).toContain('This svc-sim can read it.')

  expect(await succeeds('import', 'to-keep', '--data-dir', 'imported')).toContain(
    'Continue with "svc-sim start --data-dir imported".',
  )
  const imported = await startReady('--data-dir', join(root, 'imported'))
  await expectSame(imported.ready)
})

test('behavior: the commands of the guide run as they stand', async () => {
  const guide = await readFile(new URL('../../docs/guides/data.md', import.meta.url), 'utf8')
  const [, commands] = /^```sh file=data\.sh\n([^`]*)^```$/m.exec(guide)!
  const project = await mkdtemp(join(root, 'project-'))
  install(project)
  await cp(folder, join(project, 'sim-data'), { recursive: true })
  const run = startProgram('sh', ['-ec', commands!], { cwd: project })
  expect(await run.ended, run.stderr).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('sim-data: intact.')
  expect(run.stdout).toContain('monday.svc: ')
  expect(run.stdout).toContain('"status":"ready"')
})

test('behavior: a folder of another world is refused, and what the refusal advises works', async () => {
  const dir = join(root, 'other-world')
  await cp(folder, dir, { recursive: true })
  await writeManifest(dir, { ...(await readAnyManifest(dir))!, worldHash: 'other' })
  const advice =
    'run "svc-sim data export FILE" on the folder, and start this one with "--from-export FILE"'
  const { code, stderr } = await runCli(['start', '--port', '0', '--data-dir', dir])
  expect(code).toBe(1)
  expect(stderr).toContain(advice)
  expect(await fails('check', '--data-dir', dir)).toContain(advice)
  await succeeds('export', 'other', '--data-dir', dir)
  const { run, ready } = await startReady('--snapshot', join(root, 'other'))
  expect(run.stderr).toContain('its chains were made with another world, which they keep')
  await expectSame(ready)
})

test('behavior: after a sudden end, compact and export have everything', async () => {
  const dir = join(root, 'killed')
  await cp(folder, dir, { recursive: true })
  const { run, ready } = await startReady('--data-dir', dir)
  const other = await createAccount(ready, '0x00000000000000000000000000000000000000a2')
  const wasThere = await look(ready)
  run.kill('SIGKILL')
  await run.ended
  const before = await contentsOf(dir)
  await succeeds('check', '--data-dir', dir)
  const { 'svc-sim.lock': _, ...unchanged } = before
  expect(await contentsOf(dir)).toMatchObject(unchanged)

  await succeeds('export', 'after-kill', '--data-dir', dir)
  const { run: again, ready: ready2 } = await startReady('--from-export', join(root, 'after-kill'))
  const now = await look(ready2)
  expect(now.accounts).toEqual(wasThere.accounts)
  expect(JSON.stringify(now.accounts)).toContain(other)
  again.kill('SIGTERM')
  await again.ended
  expect(await succeeds('compact', '--data-dir', dir)).toMatch(/MB before, .* MB after\n$/)
})

test('behavior: what --from-export unpacks goes with the program, also when it is killed', async () => {
  await succeeds('export', 'gone', '--data-dir', folder)
  const TMPDIR = await mkdtemp(join(root, 'tmp-'))
  const run = startCli(['start', '--json', '--port', '0', '--from-export', join(root, 'gone')], {
    env: { TMPDIR },
  })
  await run.saying('stdout', /^.*\n/)
  const unpacked = (await readdir(TMPDIR)).filter((name) => name.startsWith('svc-sim-snapshot-'))
  expect(unpacked).toHaveLength(1)
  run.kill('SIGKILL')
  await run.ended
  await vi.waitFor(async () => expect(await readdir(TMPDIR)).toEqual([]), 10_000)
})

test('behavior: the library begins with an export too, twice at once, and leaves nothing of it', async () => {
  await succeeds('export', 'for-library', '--data-dir', folder)
  const temporary = await mkdtemp(join(root, 'tmp-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = temporary
  try {
    const snapshot = join(root, 'for-library')
    const sims = await Promise.all([
      createSimulator({ snapshot }),
      createSimulator({ fromExport: snapshot }),
    ])
    const [one, other] = sims.map((sim) => ({
      ...sim,
      rpc: Object.fromEntries(networkNames.map((network) => [network, sim.rpc(network)])),
    }))
    await expectSame(one!)
    await createAccount(one!, '0x00000000000000000000000000000000000000a3')
    await expectSame(other!)
    await sims[0]!.reset()
    await expectSame(one!)
    await Promise.all(sims.map((sim) => sim.close()))
    expect(await readdir(temporary)).toEqual([])
    const kept = join(root, 'kept-by-library')
    const keeps = await createSimulator({ fromExport: snapshot, dataDir: kept })
    await keeps.close()
    expect(await succeeds('check', '--data-dir', kept)).toContain('intact')
    // A folder that is there already is not written over, and neither is a missing file an empty one.
    await expect(createSimulator({ snapshot, dataDir: kept })).rejects.toThrow('is not empty')
    await expect(createSimulator({ snapshot: join(root, 'nowhere') })).rejects.toThrow('nowhere')
    expect(await readdir(temporary)).toEqual([])
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})

test('error: while a simulator runs there', async () => {
  const dir = join(root, 'busy')
  await cp(folder, dir, { recursive: true })
  await succeeds('export', 'busy-export', '--data-dir', dir)
  const { run } = await startReady('--data-dir', dir)
  for (const words of [['check'], ['compact'], ['export', 'x'], ['import', 'busy-export']])
    expect(await fails(...words, '--data-dir', dir)).toContain(`in use by process ${run.pid}`)
  expect(await readdir(root)).not.toContain('x')
})

/** What somebody does to a folder, and what the refusal says. */
const lies: [what: string, lie: (dir: string) => Promise<unknown>, message: RegExp][] = [
  [
    'a chain that is cut off',
    async (dir) => truncate(join(dir, await part(dir, 'base')), 1000),
    /base-\d+\.data has 1000 bytes, and was written with \d+\. .*Put back a copy/,
  ],
  [
    'two chains exchanged',
    async (dir) => {
      const [base, polygon] = [await part(dir, 'base'), await part(dir, 'polygon')]
      await rename(join(dir, base), join(dir, 'x'))
      await rename(join(dir, polygon), join(dir, base))
      await rename(join(dir, 'x'), join(dir, polygon))
    },
    /(base|polygon)-\d+\.data has \d+ bytes, and was written with \d+/,
  ],
  [
    'a part that is not there',
    async (dir) => rm(join(dir, await part(dir, 'store'))),
    /store-\d+\.data is missing/,
  ],
  [
    'the log of another folder',
    async (dir) => {
      const log = (await readdir(dir)).find((name) => name.startsWith('log-'))!
      await writeFile(join(dir, log), '8f2a1b00 {"folder":"other","log":1}\n')
    },
    /log-\d+\.wal /,
  ],
  [
    'an edited manifest',
    async (dir) => edit(dir, '"firstLog": ', '"firstLog": 1'),
    /manifest\.json is not as it was written: its checksum differs/,
  ],
  [
    'a newer version',
    async (dir) => edit(dir, '"version": 5', '"version": 7'),
    /has version 7, and this svc-sim reads version 5.*Start the version of svc-sim that made it/,
  ],
  ['no manifest', (dir) => rm(join(dir, 'manifest.json')), /manifest\.json is missing/],
]

async function part(dir: string, name: string): Promise<string> {
  return (await readdir(dir)).find((file) => file.startsWith(`${name}-`))!
}

async function edit(dir: string, text: string, by: string): Promise<void> {
  const path = join(dir, 'manifest.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace(text, by))
}

test('error: files that lie: check and export say so with the words of a start, and nothing changes', async () => {
  for (const [index, [what, lie, message]] of lies.entries()) {
    const dir = join(root, `lie-${index}`)
    await cp(folder, dir, { recursive: true })
    await lie(dir)
    const before = await contentsOf(dir)
    const said = await fails('check', '--data-dir', dir)
    expect(said, what).toMatch(message)
    expect(said, what).toContain(`The data folder ${dir} cannot be used: `)
    expect(await contentsOf(dir), what).toEqual(before)
  }
  const [dir] = [join(root, 'lie-0')]
  expect(await fails('export', 'never', '--data-dir', dir)).toMatch(lies[0]![2])
  expect(await readdir(root)).not.toContain('never')
})

test('error: each file of a folder: a changed byte, a cut, another file in its place, no file: refused, and nothing changes', async () => {
  const dir = join(root, 'each-file')
  await cp(folder, dir, { recursive: true })
  const whole = await contentsOf(dir)
  const names = Object.keys(whole)
  expect(names.length).toBeGreaterThan(networkNames.length + 3)
  for (const [at, name] of names.entries()) {
    const path = join(dir, name)
    const content = Buffer.from(whole[name]!, 'latin1')
    const changed = Buffer.from(content)
    changed[content.length >> 1]! ^= 1
    const other = names
      .slice(at)
      .concat(names)
      .find((one) => whole[one] !== whole[name])!
    const harms: Record<string, () => Promise<unknown>> = {
      'a changed byte': () => writeFile(path, content.length === 0 ? 'x' : changed),
      'a cut': () => (content.length === 0 ? rm(path) : truncate(path, content.length >> 1)),
      'another file': () => cp(join(folder, other), path),
      'no file': () => rm(path),
    }
    for (const [harm, done] of Object.entries(harms)) {
      await done()
      const before = await contentsOf(dir)
      const said = await readContents(dir).then(
        () => 'accepted',
        ({ message }: Error) => message,
      )
      expect(said, `${name}: ${harm}`).toContain(`The data folder ${dir} cannot be used: `)
      expect(await contentsOf(dir), `${name}: ${harm}`).toEqual(before)
      await writeFile(path, content)
    }
  }
  expect(await contentsOf(dir)).toEqual(whole)
  expect(await succeeds('check', '--data-dir', dir)).toContain('intact')
  await truncate(join(dir, await part(dir, 'base')), 1000)
  const { code, stderr } = await runCli(['start', '--port', '0', '--data-dir', dir])
  expect(code).toBe(1)
  expect(stderr).toContain(`The data folder ${dir} cannot be used: `)
})

test('error: a damaged export, or a folder that is not new: nothing comes of it', async () => {
  await succeeds('export', 'whole', '--data-dir', folder)
  const whole = await readFile(join(root, 'whole'))
  await writeFile(join(root, 'half'), whole.subarray(0, whole.length >> 1))
  for (const words of [
    ['data', 'import', 'half', '--data-dir', 'of-half'],
    ['start', '--port', '0', '--from-export', 'half', '--data-dir', 'of-half'],
    ['start', '--port', '0', '--from-export', 'half'],
  ]) {
    const { code, stderr } = await runCli(words, { cwd: root })
    expect(code).toBe(1)
    expect(stderr).toMatch(/The export half cannot be used: it is damaged.*Nothing was changed/)
  }
  expect(await readdir(root)).not.toContain('of-half')
  expect(await fails('import', 'whole', '--data-dir', folder)).toContain('is not empty')
  expect(await fails('export', 'whole', '--data-dir', folder)).toContain('exists already')
  await succeeds('export', 'whole', '--overwrite', '--data-dir', folder)
})

test('behavior: on a disk that cannot be written to, a folder is checked and exported all the same', async ({
  skip,
}) => {
  const disk = await smallDisk(40_000)
  if (!disk) return skip('a disk of its own takes root on Linux')
  const there = join(disk.folder, 'data')
  await cp(folder, there, { recursive: true })
  await disk.protect()
  await succeeds('check', '--data-dir', there)
  await succeeds('export', 'protected', '--data-dir', there)
  await succeeds('import', 'protected', '--data-dir', 'with space')
  const { code, stderr } = await runCli(['start', '--port', '0', '--data-dir', there], {
    cwd: root,
  })
  expect(code).toBe(1)
  expect(stderr).toContain('the file system is read-only (EROFS). Mount it for writing, or choose')
})

test('error: no folder, an empty one, and commands that are none', async () => {
  const empty = await mkdtemp(join(root, 'empty-'))
  for (const verb of [['check'], ['compact'], ['export', 'x']]) {
    expect(await fails(...verb, '--data-dir', empty)).toContain(`${empty} holds no data of svc-sim`)
    expect(await fails(...verb, '--data-dir', 'nowhere')).toContain('There is no folder nowhere')
  }
  expect(await readdir(empty)).toEqual([])
  expect(await readdir(root)).not.toContain('nowhere')
  for (const words of [['chekc'], ['export'], ['check', 'x'], ['import', 'a', 'b']]) {
    const { code, stderr } = await data(...words, '--data-dir', folder)
    expect(code, words.join(' ')).toBe(2)
    expect(stderr).toContain('svc-sim')
  }
  expect((await data('check')).stderr).toContain('name the data folder with --data-dir DIR')
})
