import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { actors } from '../../deployments/actors.js'
import { createBackgroundTasks } from '../../time/backgroundTasks.js'
import { createGate } from '../rpc/gate.js'
import type { Node, Receipt } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { sendForReceipt } from './send.js'

function settable<T>() {
  let settle = (_: T): void => {}
  const settled = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { settle, settled }
}

test('behavior: a node that is halted while it is asked whether it mines counts as halted: the transaction in its pool holds up nobody', async () => {
  const gate = createGate(false)
  const stirred = settable<void>()
  const [wasMining, asked, receipt] = [settable<boolean>(), settable<void>(), settable<Receipt>()]
  const call = { from: actors.relayer, to: actors.admin, data: '0x12' as Hex }
  const answers: Record<string, () => unknown> = {
    eth_sendTransactionSync: () => receipt.settled,
    anvil_getAutomine: () => {
      asked.settle()
      return wasMining.settled
    },
    txpool_content: () => ({
      pending: { [call.from]: { 0: { hash: '0xab', to: call.to, input: call.data } } },
      queued: {},
    }),
    eth_getTransactionReceipt: () => null,
  }
  const rpc = { request: async (method: string) => answers[method]!() }
  const stirs = () => stirred.settled
  const node = {
    network: 'base',
    lifecycle: {},
    gate: Object.assign(gate, { stirs }),
    rpc,
  } as unknown as Node
  const tasks = createBackgroundTasks()
  const sending = tasks.run(() => sendForReceipt(node, call))
  await asked.settled
  gate.mines = false
  wasMining.settle(true)
  expect(await tasks.settled(100)).toEqual([])
  expect(gate.mines).toBe(false)
  receipt.settle({ status: '0x1' } as Receipt)
  expect((await sending).status).toBe('0x1')
})

test('error: what somebody drops from the pool of a halted node was not mined: no word of a timeout, or that it was not sent', async () => {
  const gate = createGate(false)
  gate.mines = false
  const call = { from: actors.relayer, to: actors.admin, data: '0x12' as Hex }
  const [parked, givenUp] = [settable<void>(), settable<void>()]
  const pending = { [call.from]: { 0: { hash: '0xab', to: call.to, input: call.data } } }
  const pool = { pending: pending as object, queued: {} }
  const answers: Record<string, () => unknown> = {
    async eth_sendTransactionSync() {
      await givenUp.settled
      throw new RpcError('Transaction confirmation timeout', -32000)
    },
    txpool_content: () => pool,
    eth_getTransactionByHash: () => null,
    eth_getTransactionReceipt: () => null,
  }
  const rpc = { request: async (method: string) => answers[method]!() }
  const node = { network: 'base', lifecycle: {}, gate, rpc } as unknown as Node
  const sending = sendForReceipt(node, call, undefined, { parked: async () => parked.settle() })
  await parked.settled
  pool.pending = {}
  givenUp.settle()
  await expect(sending).rejects.toThrow('the transaction 0xab left the pool without being mined')
})
