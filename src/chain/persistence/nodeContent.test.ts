import { expect, test } from 'vitest'
import { withoutTraces } from './nodeContent.js'

const state = {
  transactions: [
    {
      info: { hash: '0x1', traces: [{ children: [1], logs: [] }, { data: '0x[]' }], exit: 'Stop' },
    },
    { info: { hash: '0x2', traces: [], exit: 'Return' } },
  ],
  blocks: [{ number: 1 }],
}

/** The state, in pieces of so many bytes, without its traces. */
async function stripped(text: string, length: number): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += length) yield Buffer.from(text.slice(at, at + length))
  }
  let all = ''
  for await (const piece of withoutTraces(pieces())) all += piece
  return all
}

test('default: all is there but the calls, wherever a piece ends', async () => {
  const text = JSON.stringify(state)
  const expected = structuredClone(state)
  for (const { info } of expected.transactions) info.traces = []
  for (let length = 1; length <= text.length; length++)
    expect(JSON.parse(await stripped(text, length)), `${length}`).toEqual(expected)
})

test('behavior: without transactions it is the same', async () => {
  expect(await stripped('{"blocks":[]}', 5)).toBe('{"blocks":[]}')
})

test('error: a state that ends within a transaction', async () => {
  await expect(stripped('{"info":{"traces":[{', 100)).rejects.toThrow('ends within a transaction')
})
