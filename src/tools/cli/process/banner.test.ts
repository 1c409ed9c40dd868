import { expect, test } from 'vitest'
import { networkNames } from '../../../deployments/networks.js'
import { banner, type Shown, type ShownOptions } from './banner.js'

const url = 'http://127.0.0.1:4477'
const shown: Shown = {
  url,
  apiKey: 'key',
  apiKeys: ['key'],
  docsUrl: `${url}/docs`,
  uiUrl: `${url}/_sim/ui/`,
  rpc: Object.fromEntries(networkNames.map((name) => [name, `${url}/rpc/${name}`])) as never,
  forks: new Map(),
  seed: 1n,
  clock: { time: () => ({ now: '2026-01-01T00:00:00.000Z', mode: 'frozen' }) } as never,
}
const options: ShownOptions = {
  apiKey: ['key'],
  host: '127.0.0.1',
  dataDir: undefined,
  rpcPortBase: undefined,
}

test('default', () => {
  expect(banner(shown, options, '0.1.0')).toMatchInlineSnapshot(`
    "svc-sim 0.1.0 is ready. Ctrl-C stops it.

      API        http://127.0.0.1:4477
      API key    key
      Dashboard  http://127.0.0.1:4477/_sim/ui/
      Docs       http://127.0.0.1:4477/_sim/docs/ (API: http://127.0.0.1:4477/docs)
      Seed       1 (--seed 1 repeats the ids)
      Clock      frozen, 2026-01-01T00:00:00.000Z
      State      in memory; --data-dir DIR persists it
      More       npx svc-sim env prints RPC URLs, actors and contracts

    Next, create an account:
    curl -sS http://127.0.0.1:4477/accounts -H 'Authorization: Bearer key' -H 'Content-Type: application/json' -d '{"signer_type":"eoa","signer_address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}'
    "
  `)
})

test('behavior: whatever there is to say, it has 15 lines at most', () => {
  const forks = new Map(
    networkNames.map((name) => [
      name,
      { host: 'node.example', block: 7n, leftOut: [{ name: 'Comet', why: 'not there' }] },
    ]),
  ) as never
  const all = { ...shown, url: 'http://0.0.0.0:5000', apiKeys: ['one', 'two', 'three'], forks }
  const most = {
    ...options,
    apiKey: [],
    host: '0.0.0.0',
    rpcPortBase: 8545,
    fromExport: 'a.export',
  }
  const lines = banner(all, most, '0.1.0').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(15)
  expect(lines.join('\n')).toContain('base from node.example at block 7')
  expect(lines.join('\n')).toContain('8546 base')
  expect(lines.join('\n')).toContain('one, two, three (random for this start')
  expect(lines.at(-1)).toMatch(/^curl /)
})

test('behavior: with --verbose RPC URLs, actors and contracts follow', () => {
  const text = banner(shown, { ...options, verbose: true }, '0.1.0')
  for (const name of networkNames) expect(text).toContain(`${url}/rpc/${name}   (chain id `)
  expect(text.match(/^ {2}0x\w{40} {2}0x\w{64}$/gm)).toHaveLength(5)
  expect(text.match(/^ {2}[a-z][\w ]+ 0x\w{40}$/gim)!.length).toBeGreaterThan(10)
})
