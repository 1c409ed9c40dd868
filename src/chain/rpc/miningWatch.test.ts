import { expect, test } from 'vitest'
import { createMiningWatch } from './miningWatch.js'
import type { Channel } from './nodeSocket.js'

/** A channel whose requests are answered when the test says so. */
function channelOf() {
  let answer = (): void => {}
  const channel = {
    exchange: () =>
      new Promise<string>((resolve) => {
        answer = () => resolve('{"result":true}')
      }),
    close() {},
  } as unknown as Channel
  return { channel, answer: () => answer() }
}

const ask = (channel: Channel, method: string, ...params: unknown[]) =>
  channel.exchange(JSON.stringify({ method, params }), undefined, [method])

test('default: what may mine is told of when it begins and when it has ended; reads are not', async () => {
  const mining = createMiningWatch(false)
  const { channel, answer } = channelOf()
  const over = mining.over(channel)
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
  const mining = createMiningWatch()
  const { channel, answer } = channelOf()
  const over = mining.over(channel)
  const seen: unknown[] = [mining.isOn]
  for (const [method, param] of [
    ['evm_setAutomine', true],
    ['anvil_setIntervalMining', 5],
    ['evm_setAutomine', true],
    ['evm_setAutomine', false],
  ] as const) {
    const asked = ask(over, method, param)
    answer()
    await asked
    seen.push(mining.isOn)
  }
  mining.renew()
  expect([...seen, mining.isOn]).toEqual([undefined, true, false, true, false, undefined])
})
