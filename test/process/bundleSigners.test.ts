import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBundle, writeBundle } from '../../src/chain/fork/bundle/bundle.js'
import { recordFrom, tableOf } from '../kit/bundleTable.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** A bundle that names no signer, used by signers that are drawn. On every network, and from other endpoints: test/soak/bundleTable.test.ts. */

const network = 'polygon'
let bundle: string
let sim: SimulatorHandle

beforeAll(async () => {
  bundle = await recordFrom('a simulator', network)
  sim = await createSimulator({ bundle, bridgeDelayMs: 20 })
}, 300_000)
afterAll(() => sim?.close())

test('default: from a bundle of a simulator, a signer that nobody named confirms every kind of plan, over bridges too', async () => {
  const rows = await tableOf(sim, network)
  expect(rows.filter(([, end]) => end !== 'confirmed')).toEqual([])
  expect(rows.length).toBeGreaterThan(20)
}, 200_000)

test('error: a plan whose execution would read what was never recorded is refused, and the message names the account', async () => {
  const own = `${bundle}-without`
  const { networks, ...about } = await readBundle(bundle)
  const { answers, ...one } = networks.get(network)!
  // The node reads it when a signature is recovered, and for nothing else.
  const recover = `account 0x${'1'.padStart(40, '0')}`
  const fewer = new Map([...answers].filter(([key]) => key !== recover))
  expect(fewer.size).toBe(answers.size - 1)
  await writeBundle(own, { ...about, networks: new Map([[network, { ...one, answers: fewer }]]) })
  await using without = await createSimulator({ bundle: own })
  const user = await openUser(without)
  await user.fund(network, 'USDC', 2_000_000n)
  const transfer = { asset: 'USDC', amount: '1000', network, recipient: user.signer }
  const { status, body } = await user.plan('transfer', transfer)
  expect([status, body.error]).toEqual([408, 'timeout'])
  expect(body.message).toContain(`${recover} was never recorded`)
})
