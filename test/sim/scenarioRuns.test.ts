import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaseWorld } from '../../src/index.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

// `/_sim/scenarios` of a running simulator, as the dashboard uses it.

const own = mkdtempSync(join(tmpdir(), 'svc-sim-scenarios-'))
const file = (name: string, text: string) => writeFileSync(join(own, name), text)
let sim: SimulatorHandle

beforeAll(async () => {
  file(
    'mine.yaml',
    'name: mine\ngiven: { accounts: { bob: {} } }\nwhen:\n  - call: { path: /assets }\n',
  )
  file('red.yaml', 'name: red\nwhen:\n  - call: { path: /assets }\n  - call: { path: /nowhere }\n')
  file('wrong.yaml', 'name: wrong\nwhat: 1\n')
  file('no-wallet.yaml', 'name: my own idea of it\nwhen:\n  - call: { path: /assets }\n')
  file('readme.txt', 'no scenario')
  sim = await createSimulator({ scenarios: own })
})
afterAll(() => sim.close())

async function ask(method: string, path: string, url = sim.controlUrl) {
  const response = await fetch(url + path, { method })
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
  const body: any = await response.json()
  return { status: response.status, body, hint: response.headers.get('x-svc-sim-hint') }
}

test('default: the shipped ones and the own ones are listed, with what is wrong with a file', async () => {
  const { body } = await ask('GET', '/scenarios')
  const named = (name: string) =>
    body.scenarios.find((each: { name: string }) => each.name === name)
  expect(named('stale-plan-loop')).toMatchObject({ source: 'shipped', problem: null })
  expect(named('mine')).toMatchObject({
    source: 'own',
    steps: ['given', 'when.0 (call)', 'faults'],
  })
  expect(named('no-wallet')).toMatchObject({ source: 'own', title: 'my own idea of it' })
  expect(named('wrong').problem).toContain('wrong.yaml:2:7 what: "what" is unknown here')
  expect(named('readme')).toBeUndefined()
  expect((await ask('GET', '/scenarios/mine')).body.yaml).toContain('name: mine')
})

test('default: a run tells its parts as they begin, and leaves the world as it was', async () => {
  const user = await openUser(sim)
  await sim.faults.add({
    id: 'mine',
    on: 'folio',
    effect: 'timeout',
    match: { account_id: user.id },
  })
  const stream = await fetch(`${sim.controlUrl}/stream`)
  const told: { where: string | null; state: string }[] = []
  const following = (async () => {
    let text = ''
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const messages = [...text.matchAll(/^event: scenario\ndata: (.*)\n\n/gm)]
      if (messages.length === 0 || JSON.parse(messages.at(-1)![1]!).state === 'running') continue
      told.push(...messages.map(([, data]) => JSON.parse(data!)))
      break
    }
  })()
  const { body } = await ask('POST', '/scenarios/stale-plan-loop/run')
  await following
  expect(body).toMatchObject({ name: 'stale-plan-loop', passed: true, failure: null })
  expect(told.slice(0, -1).map(({ where }) => where)).toEqual(body.steps)
  expect(told.at(-1)).toMatchObject({ state: 'passed', where: null, run: body.run })
  // Its accounts are gone with it, what there was is there, and the journal still explains what happened.
  const { accounts } = (await ask('GET', '/accounts')).body
  expect(accounts.map(({ account_id }: { account_id: string }) => account_id)).toEqual([user.id])
  expect(sim.faults.list().map(({ id }) => id)).toEqual(['mine'])
  expect((await ask('GET', `/why/${body.account_ids[0]}`)).body.timeline).not.toEqual([])
  expect((await ask('GET', '/snapshots')).body.snapshots).toEqual([])
  await sim.faults.clear()
})

test('default: one that fails says where and why, and can be played again', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, body } = await ask('POST', '/scenarios/red/run')
    expect(status).toBe(200)
    expect(body).toMatchObject({ passed: false, failure: { where: 'when.1 (call)' } })
    expect(body.failure.message).toContain('404')
  }
})

test('behavior: a file that is put there while the simulator runs is found, and one that changed is read again', async () => {
  file('later.yaml', 'name: later\nwhen:\n  - call: { path: /nowhere }\n')
  expect((await ask('POST', '/scenarios/later/run')).body.passed).toBe(false)
  file('later.yaml', 'name: later\nwhen:\n  - call: { path: /assets }\n')
  expect((await ask('POST', '/scenarios/later/run')).body.passed).toBe(true)
})

test('behavior: in a leased world, where it disturbs nobody', async () => {
  const user = await openUser(sim)
  await using world = await leaseWorld({ url: sim.url })
  const { body } = await ask('POST', '/scenarios/mine/run', world.controlUrl)
  expect(body).toMatchObject({ passed: true })
  const there = await ask('GET', `/why/${body.account_ids[0]}`, world.controlUrl)
  expect(there.body.timeline).not.toEqual([])
  expect((await ask('GET', `/why/${body.account_ids[0]}`)).status).toBe(404)
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
})

describe('refused', () => {
  test('error: names that are none, paths too', async () => {
    for (const name of ['nowhere', '..%2Fpackage', '%2e%2e'])
      expect((await ask('POST', `/scenarios/${name}/run`)).status, name).toBe(404)
    expect((await ask('GET', '/scenarios/nowhere')).hint).toContain('stale-plan-loop')
  })

  test('error: a file that is wrong, with where it is', async () => {
    const { status, body } = await ask('POST', '/scenarios/wrong/run')
    expect(status).toBe(400)
    expect(body.message).toContain('wrong.yaml:2:7')
  })

  test('error: a second one meanwhile; afterwards it can be played', async () => {
    const [first, second] = await Promise.all([
      ask('POST', '/scenarios/mine/run'),
      ask('POST', '/scenarios/red/run'),
    ])
    const [done, refused] = first.status === 200 ? [first, second] : [second, first]
    expect(done.status).toBe(200)
    expect(refused).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect((await ask('POST', '/scenarios/mine/run')).body.passed).toBe(true)
  })

  test('error: a folder that is not there', async () => {
    await expect(createSimulator({ scenarios: join(own, 'no') })).rejects.toThrow(
      'is no folder of scenarios',
    )
  })
})
