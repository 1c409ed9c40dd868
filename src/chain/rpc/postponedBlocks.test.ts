import { expect, test } from 'vitest'
import { ChainPipeline, nodeRequest } from './pipeline.js'
import { createPostponedBlocks, rpcAsItStands } from './postponedBlocks.js'

/** A chain behind the step; what it is asked is written down, and answered when the test lets it. */
function chainWith() {
  const sent: string[] = []
  let open = Promise.resolve()
  const channel = {
    async request(method: string, params?: unknown) {
      sent.push([method, ...[params ?? []].flat()].join(' '))
      await open
      return { result: true }
    },
    close() {},
  }
  const postponed = createPostponedBlocks(async (rpc, seconds) => {
    await rpc.request('evm_setTime', [seconds])
    await rpc.request('evm_mine')
  })
  const pipeline = new ChainPipeline('base', channel, { fault: postponed.step })
  return {
    ...{ sent, postponed, pipeline, rpc: pipeline.rpc() },
    /** Returns how to open it again. */
    close(): () => void {
      let go = (): void => {}
      open = new Promise((resolve) => {
        go = resolve
      })
      return go
    },
  }
}

const both = ['evm_setTime 5', 'evm_mine', 'evm_setTime 9', 'evm_mine']

test('default: what was postponed is mined before the next question, each block with its time, and once', async () => {
  const { postponed, rpc, sent } = chainWith()
  postponed.add(5)
  postponed.add(9)
  await rpc.request('eth_blockNumber')
  await rpc.request('eth_blockNumber')
  expect(sent).toEqual([...both, 'eth_blockNumber', 'eth_blockNumber'])
  expect(postponed.times).toEqual([])
})

test('behavior: many who ask at once wait for the same blocks', async () => {
  const { postponed, rpc, sent } = chainWith()
  postponed.add(5)
  postponed.add(9)
  await Promise.all([rpc.request('eth_call'), rpc.request('eth_getLogs')])
  expect(sent).toEqual([...both, 'eth_call', 'eth_getLogs'])
})

test('behavior: what is the same before and after them, and who asks for the chain as it stands, mines none', async () => {
  const { postponed, pipeline, rpc, sent } = chainWith()
  postponed.add(5)
  await rpc.request('eth_chainId')
  await rpcAsItStands({ rpc, pipeline }).request('eth_blockNumber')
  expect(sent).toEqual(['eth_chainId', 'eth_blockNumber'])
  expect(postponed.times).toEqual([5])
})

test('behavior: a chain that goes back mines them no more, and waits for the one that is being mined', async () => {
  const { postponed, rpc, sent, close } = chainWith()
  postponed.add(5)
  postponed.add(9)
  const go = close()
  const asked = rpc.request('eth_blockNumber')
  const dropped = postponed.drop().then(() => sent.push('dropped'))
  go()
  await Promise.all([asked, dropped])
  expect(sent.slice(0, 2)).toEqual(['evm_setTime 5', 'evm_mine'])
  expect(sent.slice(2).sort()).toEqual(['dropped', 'eth_blockNumber'])
})

test('error: a block that could not be mined is tried again with the next question', async () => {
  let isBroken = true
  const mined: number[] = []
  const postponed = createPostponedBlocks(async (_, seconds) => {
    if (isBroken) throw new Error('the node does not answer')
    mined.push(seconds)
  })
  const channel = { request: async () => ({ result: true }), close() {} }
  const rpc = new ChainPipeline('base', channel, { fault: postponed.step }).rpc()
  postponed.add(5)
  await expect(rpc.request('eth_blockNumber')).rejects.toThrow('does not answer')
  isBroken = false
  await rpc.request('eth_blockNumber')
  expect(mined).toEqual([5])
})

test('error: who asks waits only so long for them, and they are mined once all the same', async () => {
  const { postponed, pipeline, sent, close } = chainWith()
  postponed.add(5)
  const go = close()
  const request = nodeRequest('base', 'client', 'eth_blockNumber')
  await expect(pipeline.send({ ...request, timeoutMs: 5 })).rejects.toThrow('longer than 0.005 s')
  go()
  await pipeline.rpc().request('eth_call')
  expect(sent).toEqual(['evm_setTime 5', 'evm_mine', 'eth_call'])
})

test('behavior: it tells whether somebody hears of each block, however often one lets go', () => {
  const { postponed } = chainWith()
  const [first, second] = [postponed.hold(), postponed.hold()]
  first()
  first()
  expect(postponed.isHeld).toBe(true)
  second()
  expect(postponed.isHeld).toBe(false)
})
