import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaseWorld, watchJournal } from '../../src/index.js'
import { ask } from '../kit/http.js'
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

test('default: the shipped ones and the own ones are listed, with what is wrong with a file', async () => {
  const { body } = await ask(`${sim.controlUrl}/scenarios`)
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
  expect((await ask(`${sim.controlUrl}/scenarios/mine`)).body.yaml).toContain('name: mine')
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
  const { body } = await ask(`${sim.controlUrl}/scenarios/stale-plan-loop/run`, { method: 'POST' })
  await following
  expect(body).toMatchObject({ name: 'stale-plan-loop', passed: true, failure: null })
  expect(told.slice(0, -1).map(({ where }) => where)).toEqual(body.steps)
  expect(told.at(-1)).toMatchObject({ state: 'passed', where: null, run: body.run })
  // Its accounts are gone with it, what there was is there, and the journal still explains what happened.
  const { accounts } = (await ask(`${sim.controlUrl}/accounts`)).body
  expect(accounts.map(({ account_id }: { account_id: string }) => account_id)).toEqual([user.id])
  expect(sim.faults.list().map(({ id }) => id)).toEqual(['mine'])
  expect((await ask(`${sim.controlUrl}/why/${body.account_ids[0]}`)).body.timeline).not.toEqual([])
  expect((await ask(`${sim.controlUrl}/snapshots`)).body.snapshots).toEqual([])
  await sim.faults.clear()
})

test('default: one that fails says where and why, and can be played again', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, body } = await ask(`${sim.controlUrl}/scenarios/red/run`, { method: 'POST' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ passed: false, failure: { where: 'when.1 (call)' } })
    expect(body.failure.message).toContain('404')
  }
})

test('behavior: what a play has taken back is one timeline of its account, without a next step', async () => {
  const watch = await watchJournal(sim)
  const yaml = readFileSync('scenarios/lost-answer.yaml', 'utf8').replace('lost: 1', 'lost: 2')
  const played = await ask(`${sim.controlUrl}/scenarios`, { method: 'POST', body: { yaml } })
  expect(played.body).toMatchObject({ passed: false, account_ids: [expect.any(String)] })
  const told = await watch.timelines()
  expect(told.map(({ id }) => id)).toEqual(played.body.account_ids)
  expect(told[0]!.text).toMatch(/\nnow: the simulator no longer has acc_\w+: snapshot .+\n$/)
  for (const kind of ['pln', 'act', 'qi']) expect(told[0]!.text).toContain(` ${kind}_`)
})

test('error: a clock that begins earlier than one that runs: refused with the way out, which is no reset', async () => {
  const clock = 'frozen@2026-01-01T00:00:00Z'
  const yaml = `name: early\ngiven: { clock: ${clock} }\nwhen:\n  - call: { path: /networks }\n`
  const play = () => ask(`${sim.controlUrl}/scenarios`, { method: 'POST', body: { yaml } })
  const refused = await play()
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain(`POST /_sim/worlds and {"clock":"${clock}"}`)
  expect(refused.body.message).not.toContain('reset')
})

test('behavior: a file that is put there while the simulator runs is found, and one that changed is read again', async () => {
  file('later.yaml', 'name: later\nwhen:\n  - call: { path: /nowhere }\n')
  expect((await ask(`${sim.controlUrl}/scenarios/later/run`, { method: 'POST' })).body.passed).toBe(
    false,
  )
  file('later.yaml', 'name: later\nwhen:\n  - call: { path: /assets }\n')
  expect((await ask(`${sim.controlUrl}/scenarios/later/run`, { method: 'POST' })).body.passed).toBe(
    true,
  )
})

test('behavior: in a leased world, where it disturbs nobody', async () => {
  const user = await openUser(sim)
  await using world = await leaseWorld({ url: sim.url })
  const { body } = await ask(`${world.controlUrl}/scenarios/mine/run`, { method: 'POST' })
  expect(body).toMatchObject({ passed: true })
  const there = await ask(`${world.controlUrl}/why/${body.account_ids[0]}`)
  expect(there.body.timeline).not.toEqual([])
  expect((await ask(`${sim.controlUrl}/why/${body.account_ids[0]}`)).status).toBe(404)
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
})

describe('refused', () => {
  test('error: names that are none, paths too', async () => {
    for (const name of ['nowhere', '..%2Fpackage', '%2e%2e'])
      expect(
        (await ask(`${sim.controlUrl}/scenarios/${name}/run`, { method: 'POST' })).status,
        name,
      ).toBe(404)
    expect(
      (await ask(`${sim.controlUrl}/scenarios/nowhere`)).headers.get('x-svc-sim-hint'),
    ).toContain('stale-plan-loop')
  })

  test('error: a file that is wrong, with where it is', async () => {
    const { status, body } = await ask(`${sim.controlUrl}/scenarios/wrong/run`, { method: 'POST' })
    expect(status).toBe(400)
    expect(body.message).toContain('wrong.yaml:2:7')
  })

  test('error: a second one meanwhile; afterwards it can be played', async () => {
    const [first, second] = await Promise.all([
      ask(`${sim.controlUrl}/scenarios/mine/run`, { method: 'POST' }),
      ask(`${sim.controlUrl}/scenarios/red/run`, { method: 'POST' }),
    ])
    const [done, refused] = first.status === 200 ? [first, second] : [second, first]
    expect(done.status).toBe(200)
    expect(refused).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(
      (await ask(`${sim.controlUrl}/scenarios/mine/run`, { method: 'POST' })).body.passed,
    ).toBe(true)
  })

  test('error: a folder that is not there', async () => {
    await expect(createSimulator({ scenarios: join(own, 'no') })).rejects.toThrow(
      'is no folder of scenarios',
    )
  })
})
