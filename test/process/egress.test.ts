import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { killRuns, type Ready, runCli, startCli } from '../kit/cli.js'
import { createClient } from '../kit/client.js'
import { markedBy } from '../kit/processes.js'
import { startUpstream } from '../kit/upstream.js'

/** From a bundle, and for offline networks, nothing leaves this machine: neither from the program nor from its nodes. */

const preload = fileURLToPath(new URL('../kit/egress.cjs', import.meta.url))
let folder: string
let bundle: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egress-'))
  bundle = join(folder, 'bundle')
  await using upstream = await startUpstream('optimism')
  await recordBundle({
    fork: { optimism: { url: upstream.url } },
    ...{ out: bundle, accounts: [], at: undefined, mayReplace: false, forkCache: 'none' },
    say() {},
  })
}, 300_000)
afterAll(killRuns)

/** The environment in which Node programs write down whom they connect to, and that file. */
function watched(name: string) {
  const file = join(folder, name)
  const env = { NODE_OPTIONS: `--require ${preload}`, EGRESS_FILE: file }
  return { env, lines: async () => (await readFile(file, 'utf8')).trim().split('\n') }
}

/** Far ends of the TCP and UDP sockets of these processes, in hex as the kernel writes them, but for those on this machine. */
async function farEnds(pids: readonly number[]): Promise<string[]> {
  const links = await Promise.all(
    pids.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
      return Promise.all(names.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    }),
  )
  const own = new Set(links.flat().flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')),
  )
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, , far = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      const isHere = /^(?:.{6}7F|0+:|0{24}0{7}1|0{24}01000000|0{16}FFFF0000.{6}7F)/.test(far)
      return own.has(inode) && !isHere ? [far] : []
    }),
  )
}

test('default: with a bundle nothing leaves this machine, while it starts, answers and lacks something', async () => {
  const { env, lines } = watched('started')
  const run = startCli(['start', '--json', '--port', '0', '--bundle', bundle], { env })
  const ends: string[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) ends.push(...(await farEnds(markedBy(run.mark))))
  })()
  try {
    const [line] = await run.saying('stdout', /^.*\n/)
    const api = createClient(JSON.parse(line) as Ready)
    const body = { signer_type: 'eoa', signer_address: `0x${'a1'.repeat(20)}` }
    const created = await api.post('/accounts', body)
    const path = `/accounts/${created.body.account_id}`
    expect((await api.get(`${path}/folio`)).status).toBe(200)
    const asset = { asset: 'USDC', amount: '1000', network: 'optimism' }
    await api.post('/_sim/fund', { ...asset, account_id: created.body.account_id })
    // Nobody knows what the network has of this recipient.
    const recipient = `0x${'ab'.repeat(20)}`
    const plan = await api.post(`${path}/plan/transfer`, { ...asset, recipient })
    expect(plan.body.message).toContain('was never recorded')
  } finally {
    isOver = true
    await watching
  }
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  expect(ends).toEqual([])
  // It does see connections; all of them stay here.
  const seen = await lines()
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((each) => !each.includes(' here '))).toEqual([])
})

test('behavior: what would leave this machine is seen', async () => {
  const { env, lines } = watched('control')
  const program = "require('node:net').connect(9, '192.0.2.1').on('error', () => {}).destroy()"
  await promisify(execFile)(process.execPath, ['-e', program], { env: { ...process.env, ...env } })
  expect(await lines()).toEqual([expect.stringMatching(/^\d+ away 192\.0\.2\.1$/)])
})

test('default: inspect says what a bundle holds; one that is damaged ends with 1 and the reason', async () => {
  const { code, stdout } = await runCli(['bundle', 'inspect', bundle, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ folder: bundle, accounts: [], networks: [{ network: 'optimism' }] },
  })
  const none = await runCli(['bundle', 'inspect', folder])
  expect([none.code, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toContain(`${folder} is no bundle`)
  const start = await runCli(['start', '--port', '0', '--bundle', folder])
  expect([start.code, start.stdout]).toEqual([1, ''])
  expect(start.stderr).toContain(`${folder} is no bundle`)
})
