import type { Address, Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { erc20, stranger, useWorld } from '../../../test/kit/world.js'
import { networkNames } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { balanceSlot, deal } from './deal.js'

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

const me = stranger('holder of a slot')

/** The balance that a token answers when this slot holds the amount. */
async function balanceWith({ rpc }: Node, token: Address, at: Address, key: Hex, amount: bigint) {
  const data = encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [me] })
  const override = { [at]: { stateDiff: { [key]: toHex(amount, { size: 32 }) } } }
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest', override]))
}

test.each(networkNames)(
  'default: the slot that is the balance, of every token of %s',
  async (of) => {
    const { book, node, balance } = world.on(of)
    for (const { symbol, address } of book.tokens.filter(({ native }) => !native)) {
      const { at, key } = await balanceSlot(node, address, me)
      expect([symbol, await balanceWith(node, address, at, key, 12_345n)]).toEqual([
        symbol,
        12_345n,
      ])
      expect(await balance(address, me)).toBe(0n)
    }
  },
)

test('behavior: the slot of somebody who has some already; another account has another', async () => {
  const { book, node, give } = world.on('base')
  const { address } = book.tokens.find(({ symbol }) => symbol === 'WETH')!
  await give(me, 'WETH', 7n)
  const { at, key } = await balanceSlot(node, address, me)
  expect(await balanceWith(node, address, at, key, 8n)).toBe(8n)
  expect(await balanceSlot(node, address, stranger('another'))).not.toEqual({ at, key })
})

test('behavior: looked for once, also when it is asked for twice at once', async () => {
  const { book, node } = world.on('base')
  const { address } = book.tokens.find(({ symbol }) => symbol === 'USDC')!
  const asked: string[] = []
  const counting: Node = {
    ...node,
    rpc: {
      ...node.rpc,
      request: (method, params) => {
        asked.push(method)
        return node.rpc.request(method, params)
      },
    },
  }
  const found = await Promise.all([1, 2].map(() => balanceSlot(counting, address, me)))
  expect(found[1]).toBe(found[0])
  const { length } = asked
  expect(asked.filter((method) => method === 'eth_createAccessList')).toHaveLength(1)
  await balanceSlot(counting, address, me)
  expect(asked).toHaveLength(length)
})

test('error: a contract that keeps no balances, and that is another one the next time', async () => {
  const { book, node } = world.on('base')
  const token = stranger('a token to be')
  // Answers every call with one.
  await node.rpc.request('anvil_setCode', [token, '0x600160005260206000f3'])
  await expect(balanceSlot(node, token, me)).rejects.toThrow(`${token} on base`)
  const usdc = book.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  // Now a proxy before the code of a token.
  const proxy = `0x363d3d373d3d3d363d73${usdc.slice(2)}5af43d82803e903d91602b57fd5bf3`
  await node.rpc.request('anvil_setCode', [token, proxy])
  const { at, key } = await balanceSlot(node, token, me)
  expect([at, await balanceWith(node, token, at, key, 9n)]).toEqual([token, 9n])
})
