import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { corpusOf } from '../../src/tools/verify/corpus.js'
import { readDocument } from '../../src/tools/verify/documented.js'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { allProbes } from '../../src/tools/verify/probes/index.js'
import { verifyServer } from '../../src/tools/verify/run.js'
import { type AlteringProxy, startAlteringProxy } from '../kit/alteringProxy.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { wrongServers } from '../kit/wrongServers.js'

// The runner of docs/corpus.md, in Python, and `verify` come to the same verdicts.

vi.setConfig({ testTimeout: 120_000 })

const folder = fileURLToPath(new URL('../../docs/clients', import.meta.url))
const documented = readDocument()
const probes = allProbes(documented)
const stepped = new Set(
  probes
    .filter(({ compute, isSlow }) => !compute && !isSlow)
    .map(({ axis, name }) => `${axis}: ${name}`),
)
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('skipped: no python3 here\n')

let sim: SimulatorHandle
let proxy: AlteringProxy
let scratch: string

beforeAll(async () => {
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
  scratch = await mkdtemp(join(tmpdir(), 'svc-sim-corpus-'))
  await writeFile(join(scratch, 'corpus.json'), JSON.stringify(corpusOf(probes, documented)))
})
afterAll(async () => {
  await proxy.close()
  await sim.close()
  await rm(scratch, { recursive: true })
})

/** What the runner in Python finds. */
async function byRunner(): Promise<Record<string, string>> {
  const args = [join(folder, 'corpus_runner.py'), join(scratch, 'corpus.json'), 'all']
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    SVC_BASE_URL: proxy.url,
    SVC_API_KEY: sim.apiKey,
    SVC_FUND_URL: `${sim.controlUrl}/fund`,
  }
  return JSON.parse((await promisify(execFile)('python3', args, { env })).stdout)
}

/** What `verify` finds of the same probes. */
async function byVerify(): Promise<Record<string, string>> {
  const report = await verifyServer({
    target: { url: proxy.url, apiKey: sim.apiKey },
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    only: ({ axis, name }) => stepped.has(`${axis}: ${name}`),
  })
  const own = report.results.filter(({ axis, name }) => stepped.has(`${axis}: ${name}`))
  return Object.fromEntries(own.map(({ axis, name, outcome }) => [`${axis}: ${name}`, outcome]))
}

describe.runIf(hasPython)('a runner in another language', () => {
  test('default: every probe that has steps conforms', async () => {
    proxy.alteration = {}
    const found = await byRunner()
    expect(Object.keys(found).sort()).toEqual([...stepped].sort())
    expect(Object.entries(found).filter(([, verdict]) => verdict !== 'conforms')).toEqual([])
  })

  // One of each kind: a status, a code, a value, a field, money, an order, a signature, staleness, an activity.
  const chosen = [
    'a second account of a signer is 400',
    'a missing account is not_found on the folio',
    'a chain id is a text',
    'the folio lacks a section',
    'a planned amount is a unit more',
    'the account is looked for before the fields',
    'no signature is checked',
    'a stale plan is accepted',
    'execution names another plan',
  ]

  test('error: of a server that is wrong in nine ways, the same probes differ', async () => {
    const wrong = wrongServers.filter(({ what }) => chosen.includes(what))
    expect(wrong).toHaveLength(chosen.length)
    proxy.alteration = {
      request(request) {
        for (const { alteration } of wrong) {
          const own = alteration.request?.(request)
          if (own) return own
        }
        return undefined
      },
      async answer(...exchange) {
        for (const { alteration } of wrong) await alteration.answer?.(...exchange)
      },
    }
    const ours = await byVerify()
    const differing = Object.values(ours).filter((verdict) => verdict === 'differs')
    expect(differing.length).toBeGreaterThan(chosen.length)
    expect(await byRunner()).toEqual(ours)
  })
})
