import { expect, test } from 'vitest'
import { stranger, useWorld } from '../../../test/kit/world.js'
import type { Node } from '../rpc/node.js'
import { deal } from './deal.js'

const world = useWorld()

test('behavior: what a block that is mined meanwhile answers of before is looked at again, and nobody pays in its place', async () => {
  const { book, node, balance } = world.on('base')
  const token = book.tokens.find(({ symbol }) => symbol === 'USDC')!
  const me = stranger('given to while a block is mined')
  const holder = book.aave.reserves.find(({ asset }) => asset === token.address)!.aToken
  const held = await balance(token.address, holder)
  const asked: string[] = []
  const mining: Node = {
    ...node,
    rpc: {
      ...node.rpc,
      async request<T>(method: string, params?: readonly unknown[]): Promise<T> {
        const isNext = asked.at(-1) === 'anvil_setStorageAt' && method === 'eth_call'
        asked.push(method)
        if (isNext && !asked.slice(0, -2).includes('anvil_setStorageAt'))
          return `0x${'0'.repeat(64)}` as T
        return node.rpc.request<T>(method, params)
      },
    },
  }
  await deal(mining, book, token, me, 5n)
  expect(await balance(token.address, me)).toBe(5n)
  expect(await balance(token.address, holder)).toBe(held)
  expect(asked.filter((method) => method === 'anvil_setStorageAt')).toHaveLength(1)
})
