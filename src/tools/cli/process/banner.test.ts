import { expect, test } from 'vitest'
import { networkNames } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import { banner } from './banner.js'

const url = 'http://127.0.0.1:4477'
const lines = banner(
  {
    url,
    apiKey: 'key',
    apiKeys: ['key'],
    controlUrl: `${url}/_sim`,
    docsUrl: `${url}/docs`,
    uiUrl: `${url}/_sim/ui/`,
    rpc: Object.fromEntries(networkNames.map((name) => [name, `${url}/rpc/${name}`])) as never,
    forks: new Map(),
    seed: 1n,
    clock: { time: () => ({ now: '2026-01-01T00:00:00.000Z', mode: 'frozen' }) } as never,
  },
  {
    apiKey: ['key'],
    host: '127.0.0.1',
    controlToken: undefined,
    dataDir: undefined,
    rpcPortBase: undefined,
  },
  '0.1.0',
).split('\n')

test('behavior: the longest names keep their space, and what follows stands in one column', () => {
  const { scripts, ...contracts } = svcAddresses
  const named = [
    ...Object.entries(contracts),
    ...Object.entries(scripts).map(([name, address]) => [`script ${name}`, address] as const),
  ]
  const texts = new Map([...named, ['API', url], ['State', 'in memory'], ['polygon', url]])
  const columns = [...texts].map(([label, text]) => {
    const line = lines.find((candidate) => candidate.startsWith(`  ${label}  `))
    expect(line, label).toContain(`  ${text}`)
    return line!.indexOf(text)
  })
  expect(new Set(columns).size).toBe(1)
})
