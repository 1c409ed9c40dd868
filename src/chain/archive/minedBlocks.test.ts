import { expect, test } from 'vitest'
import type { ChainMessage } from '../rpc/pipeline.js'
import { inPieces } from './minedBlocks.js'

function messageOf(...requests: readonly (readonly [method: string, ...params: unknown[]])[]) {
  const sent = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const text = JSON.stringify(sent.length === 1 ? sent[0] : sent)
  const methods = sent.map(({ method }) => method)
  return { network: 'base', text, methods, by: 'client' } satisfies ChainMessage
}
const paramsOf = (pieces: readonly ChainMessage[] | undefined) =>
  pieces?.map(({ text }) => (JSON.parse(text) as { params: unknown }).params)

test.each([
  [
    'anvil_mine',
    ['0x46', 7],
    [
      [32, 7],
      [32, 7],
      [6, 7],
    ],
  ],
  [
    'hardhat_mine',
    [33, 2],
    [
      [32, 2],
      [1, 2],
    ],
  ],
  [
    'evm_mine',
    [{ timestamp: 9, blocks: 40 }],
    [[{ timestamp: 9, blocks: 32 }], [{ timestamp: null, blocks: 8 }]],
  ],
])('default: %s %j', (method, params, pieces) => {
  expect(paramsOf(inPieces(messageOf([method, ...params])))).toEqual(pieces)
})

test.each([
  ['anvil_mine', 32],
  ['anvil_mine'],
  ['evm_mine', 4_000_000_000],
  // The node refuses these, as a whole.
  ['evm_mine', { timestamp: 9, blocks: '0x28' }],
  ['anvil_mine', 'many'],
])('behavior: %s %j goes as it is', (method, ...params) => {
  expect(inPieces(messageOf([method, ...params]))).toBeUndefined()
})

test('behavior: a batch that makes many blocks goes request by request, in its order', () => {
  const batch = messageOf(['anvil_mine', 20], ['eth_chainId'], ['anvil_mine', 20])
  const pieces = inPieces(batch)
  expect(pieces?.map(({ methods }) => methods)).toEqual([
    ['anvil_mine'],
    ['eth_chainId'],
    ['anvil_mine'],
  ])
})
