import { gunzipSync } from 'node:zlib'
import type { Hex } from 'viem'
import { numberToHex, toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import type { WorldNode } from './anvil.js'

const history = '0x0000f90827f1c53a10cb7a02335b175320002935'

let node: WorldNode

beforeAll(async () => {
  node = await lendNode('base')
})

afterAll(() => node.stop())

/** Numbers of slots of each contract that has some. */
async function slotCounts(): Promise<Map<string, number>> {
  const dump = await node.rpc.request<Hex>('anvil_dumpState')
  const text = gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()
  const { accounts } = JSON.parse(text) as { accounts: Record<Hex, { storage: object }> }
  return new Map(
    Object.entries(accounts).map(([address, { storage }]) => [
      address,
      Object.keys(storage).length,
    ]),
  )
}

async function mine(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await node.rpc.request('evm_mine')
}

function hashOf(number: number): Promise<Hex> {
  const data = numberToHex(number, { size: 32 })
  return node.rpc.request<Hex>('eth_call', [{ to: history, data }, 'latest'])
}

test('default: blocks add no slots, or each would slow down all that come after it', async () => {
  await mine(1)
  const before = await slotCounts()
  await mine(300)
  expect(await slotCounts()).toEqual(before)
})

test('behavior: a contract reads the hashes of the last blocks', async () => {
  await mine(3)
  const latest = Number(await node.rpc.request<Hex>('eth_blockNumber'))
  for (const number of [latest - 1, latest - 2]) {
    const block = await node.rpc.request<{ hash: Hex }>('eth_getBlockByNumber', [
      toHex(number),
      false,
    ])
    expect(await hashOf(number)).toBe(block.hash)
  }
})

test('error: of blocks that are to come, or long gone, there is none', async () => {
  await mine(258)
  const latest = Number(await node.rpc.request<Hex>('eth_blockNumber'))
  for (const number of [latest + 1, latest - 257]) await expect(hashOf(number)).rejects.toThrow()
  const tooShort = node.rpc.request('eth_call', [{ to: history, data: '0x01' }, 'latest'])
  await expect(tooShort).rejects.toThrow()
})
