import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGate, type Gate } from './gate.js'
import type { NodeAnswer } from './nodeSocket.js'
import { ChainPipeline, nodeRequest, type PassOn } from './pipeline.js'

/** A node whose requests are answered when the test says so. */
function nodeBehind({ step }: Gate) {
  let answer = (): void => {}
  const channel = {
    request: () =>
      new Promise<NodeAnswer>((resolve) => {
        answer = () => resolve({ result: true })
      }),
    close() {},
  }
  const pipeline = new ChainPipeline('base', channel, { gate: step })
  return { over: pipeline.to(channel), answer: () => answer() }
}

const ask = (over: PassOn, method: string, ...params: unknown[]) =>
  over(nodeRequest('base', 'client', method, params))

test('default: what may mine is told of when it begins and when it has ended; reads are not', async () => {
  const mining = createGate(true)
  const { over, answer } = nodeBehind(mining)
  const told: string[] = []
  const wait = (what: string) => void mining.stirs().then(() => told.push(what))
  wait('begin')
  const read = ask(over, 'eth_blockNumber')
  answer()
  await read
  expect(told).toEqual([])
  const mined = ask(over, 'evm_mine')
  await Promise.resolve()
  expect(told).toEqual(['begin'])
  wait('end')
  answer()
  await mined
  expect(told).toEqual(['begin', 'end'])
})

test('behavior: it knows whether each transaction is mined at once, and nothing of another process', async () => {
  const mining = createGate(true)
  const { over, answer } = nodeBehind(mining)
  const seen: unknown[] = [mining.mines]
  for (const [method, param] of [
    ['evm_setAutomine', true],
    ['anvil_setIntervalMining', 5],
    ['evm_setAutomine', true],
    ['evm_setAutomine', false],
  ] as const) {
    const asked = ask(over, method, param)
    answer()
    await asked
    seen.push(mining.mines)
  }
  mining.renew()
  expect([...seen, mining.mines]).toEqual([undefined, true, false, true, false, undefined])
})

test('behavior: it knows which command of a client keeps it from mining at once; commands of faults, and those that the node ignores, do not count', async () => {
  const restored = { method: 'evm_setAutomine', params: [false], isRestored: true } as const
  const gate = createGate(false, restored)
  const { over, answer } = nodeBehind(gate)
  const seen: unknown[] = [gate.clientSwitch]
  const off = { method: 'evm_setAutomine', params: [false] }
  const slow = { method: 'anvil_setIntervalMining', params: [5] }
  const by = async ({ method, params }: typeof off | typeof slow, forNow?: true) => {
    const asked = over({
      ...nodeRequest('base', 'client', method, params),
      ...(forNow && { forNow }),
    })
    answer()
    await asked
    seen.push(gate.clientSwitch)
  }
  await by({ method: 'evm_setAutomine', params: [true] })
  await by(off)
  await by(off, true)
  await by(slow)
  await by(off)
  expect(seen).toEqual([restored, undefined, off, undefined, slow, slow])
  // The log does not have an interval.
  gate.renew()
  expect(gate.clientSwitch).toBeUndefined()
  await by(off)
  gate.renew(restored)
  expect(gate.clientSwitch).toEqual(off)
})

test('default: each quirk of the node that the gate stands for has its test', () => {
  const here = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const pairs = [...here('gate.ts').matchAll(/\((\S+\.test\.ts): ([^)]+)\)$/gm)]
  expect(pairs.length).toBeGreaterThan(4)
  for (const [, file, name] of pairs) expect(here(file!)).toContain(`: ${name}'`)
})
