import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  alice,
  ask,
  balance,
  bob,
  head,
  type Running,
  rich,
  send,
  startLogged,
  testOrigin,
} from '../../../test/kit/loggedNode.js'
import { ServiceError } from '../../lib/errors.js'
import { type DataFolder, openDataFolder } from '../../wal/dataFolder.js'
import type { DataLog } from '../../wal/dataLog.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import { sharedBlockMethod } from '../rpc/methods.js'
import type { Receipt } from '../rpc/node.js'
import { openChannel } from '../rpc/nodeSocket.js'
import { nodeRequest } from '../rpc/pipeline.js'
import { sendForReceipt } from '../transactions/send.js'

/** Commands of one real node: logged, and done again on another one. */

const carol = '0x00000000000000000000000000000000000000cc'
let dir: string
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commands-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await rm(dir, { recursive: true })
})

async function start(log?: (folder: DataFolder) => DataLog): Promise<Running> {
  const running = await startLogged(dir, log)
  closers.push(running.end)
  return running
}

/** Ends suddenly and starts again; the chain has to be the same. */
async function again(running: Running): Promise<Running> {
  const before = await head(running)
  await running.end()
  const next = await start()
  expect(next.isSame).toBe(true)
  const block = await ask<{ hash: Hex }>(next, 'eth_getBlockByNumber', before.number, false)
  expect(block.hash).toBe(before.hash)
  return next
}

test('default: after a sudden end the chain has the same blocks, transactions and balances', async () => {
  const first = await start()
  await rich(first, alice)
  const { transactionHash } = await send(first, alice, bob, '0x5')
  await ask(first, 'evm_mine')
  await ask(first, 'anvil_setStorageAt', bob, '0x1', `0x${'07'.padStart(64, '0')}`)
  await ask(first, 'eth_sendTransaction', { from: alice, to: bob, value: '0x6' })

  const second = await again(first)
  expect(await balance(second, bob)).toBe(11n)
  expect(await ask(second, 'eth_getTransactionReceipt', transactionHash)).toMatchObject({
    status: '0x1',
  })
  expect(BigInt(await ask(second, 'eth_getStorageAt', bob, '0x1', 'latest'))).toBe(7n)
  // Whom the node may act for is not part of a state.
  await send(second, alice, bob, '0x1')
  const third = await again(second)
  expect(await balance(third, bob)).toBe(12n)
})

test('default: a shared block is one record of the log, and comes out again with the same transactions in their order', async () => {
  const first = await start()
  await rich(first, alice, bob)
  const sendShared = (from: Address, to: Address) =>
    sendForReceipt(first.node, { from, to, value: 1n })
  await sendShared(alice, carol)
  // Of the last ones one is refused: nobody has that much.
  const [refused, ...sent] = await Promise.allSettled([
    sendForReceipt(first.node, { from: bob, to: carol, value: 2n ** 200n }),
    ...Array.from({ length: 5 }, (_, i) => sendShared(i % 2 ? alice : bob, carol)),
  ])
  expect(refused.status).toBe('rejected')
  const receipts = sent.map((each) => (each as PromiseFulfilledResult<Receipt>).value)
  const [{ blockHash } = { blockHash: '' }] = receipts as (Receipt & { blockHash: Hex })[]
  expect(receipts).toMatchObject(
    receipts.map((_, i) => ({ blockHash, transactionIndex: `0x${i}` })),
  )
  const second = await again(first)
  const records = second.folder.recovered.changes.polygon as NodeCommand[]
  expect(records.filter(({ method }) => method === sharedBlockMethod)).toHaveLength(1)
  for (const receipt of receipts)
    expect(await ask(second, 'eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt)
  expect(await balance(second, carol)).toBe(6n)
  expect(first.surprises).toEqual([])
})

test('behavior: where no blocks are mined a shared block is refused, and is not in the log', async () => {
  const first = await start()
  await rich(first, alice)
  await ask(first, 'evm_setAutomine', false)
  const transaction = { from: alice, to: carol, value: '0x1' }
  await expect(ask(first, sharedBlockMethod, transaction, transaction)).rejects.toThrow(
    'mines no blocks by itself; nothing was sent',
  )
  const second = await again(first)
  const records = second.folder.recovered.changes.polygon as NodeCommand[]
  expect(records.filter(({ method }) => method === sharedBlockMethod)).toEqual([])
})

test('behavior: a client cannot put a shared block into the log, alone or among others', async () => {
  const first = await start()
  await rich(first, alice)
  const foreign = { id: 1, method: sharedBlockMethod, params: [{ from: alice, to: carol }] }
  for (const sent of [foreign, [foreign, { id: 2, method: 'evm_mine', params: [] }]]) {
    const answers = []
    for (const { method, params } of [sent].flat())
      answers.push(
        await first.node.pipeline!.send(nodeRequest('polygon', 'client', method, params)),
      )
    expect(answers[0]!.error).toBeDefined()
  }
  const second = await again(first)
  const records = second.folder.recovered.changes.polygon as NodeCommand[]
  expect(records.filter(({ method }) => method === sharedBlockMethod)).toEqual([])
})

test('behavior: a checkpoint while transactions come loses none and doubles none', async () => {
  const first = await start()
  await rich(first, alice, bob)
  const sends = Array.from({ length: 40 }, (_, i) =>
    send(first, i % 2 ? alice : bob, '0x00000000000000000000000000000000000000cc', '0x1'),
  )
  const checkpoint = sends[5]!.then(() => first.folder.checkpoint())
  await Promise.all([...sends, checkpoint])
  const second = await again(first)
  expect(await balance(second, '0x00000000000000000000000000000000000000cc')).toBe(40n)
  expect(second.folder.recovered.files.polygon).toBeDefined()
  await second.folder.checkpoint()
  await again(second)
})

test('behavior: what waits for a block waits after a sudden end, and after a checkpoint too', async () => {
  const first = await start()
  await rich(first, alice)
  await ask(first, 'evm_setAutomine', false)
  await ask(first, 'eth_sendTransaction', { from: alice, to: bob, value: '0x5' })
  const waiting = send(first, alice, bob, '0x6').catch(() => {})
  await ask(first, 'txpool_status')
  const second = await again(first)
  await waiting
  expect(await ask(second, 'txpool_status')).toMatchObject({ pending: '0x2' })
  await second.folder.checkpoint()
  const third = await again(second)
  expect(await ask<boolean>(third, 'anvil_getAutomine')).toBe(false)
  const off = { method: 'evm_setAutomine', params: [false] }
  expect(third.node.gate!.clientSwitch).toEqual({ ...off, isRestored: true })
  expect(await ask(third, 'txpool_status')).toMatchObject({ pending: '0x2' })
  await ask(third, 'evm_mine')
  await ask(third, 'evm_setAutomine', true)
  expect(third.node.gate!.clientSwitch).toBeUndefined()
  expect(await balance(third, bob)).toBe(11n)
  expect(await balance(await again(third), bob)).toBe(11n)
})

test('behavior: with a data folder a command is logged after it is known to change the node, and before it reaches it', async () => {
  const { node } = await start()
  expect(node.pipeline?.names).toEqual([...['fault', 'cache', 'log', 'gate', 'time']])
})

test('behavior: a chain that is taken back is written down as it is then', async () => {
  const first = await start()
  await rich(first, alice)
  const snapshot = await ask(first, 'evm_snapshot')
  await send(first, alice, bob, '0x5')
  await ask(first, 'evm_revert', snapshot)
  await send(first, alice, bob, '0x9')
  expect(await balance(await again(first), bob)).toBe(9n)
})

test('behavior: blocks that came past the log are kept, and reported', async () => {
  const first = await start()
  await rich(first, alice)
  await send(first, alice, bob, '0x1')
  const past = openChannel(first.node.socket, 1)
  await past.request('evm_mine')
  past.close()
  await send(first, alice, bob, '0x1')
  expect(first.surprises).toEqual([expect.stringContaining('polygon: the chain has blocks')])
  expect(await balance(await again(first), bob)).toBe(2n)
})

test('behavior: a transaction that the node refuses leaves nothing, and the chain goes on in time', async () => {
  const first = await start()
  await rich(first, alice)
  const refused = ask(first, 'eth_sendTransactionSync', { from: bob, to: alice, value: '0x1' })
  await expect(refused).rejects.toThrow()
  await send(first, alice, bob, '0x1')
  await again(first)
})

test('behavior: a transaction that waits for a nonce holds up nobody, and comes when its turn comes', async () => {
  const first = await start()
  await rich(first, alice, bob)
  const early = ask(first, 'eth_sendTransactionSync', {
    from: alice,
    to: bob,
    value: '0x5',
    nonce: '0x1',
  })
  await send(first, bob, alice, '0x1')
  await send(first, alice, bob, '0x7') // the nonce before
  await early
  const second = await again(first)
  expect(await ask(second, 'eth_getTransactionCount', alice, 'latest')).toBe('0x2')
})

test('behavior: several that waited come in one block with the one that they waited for, and no block follows; again and again, and after an end', async () => {
  const first = await start()
  await rich(first, alice, bob)
  const transfer = (nonce: number) => ({
    ...{ from: alice, to: bob, value: '0x1', nonce: `0x${nonce.toString(16)}` },
  })
  const heights: number[] = []
  for (let round = 0; round < 6; round++) {
    // All but the first wait. Those that are not waited for by themselves are answered at once.
    for (const nonce of [3, 1, 2])
      await ask(first, 'eth_sendTransaction', transfer(round * 4 + nonce))
    await ask(first, 'eth_sendTransaction', transfer(round * 4))
    heights.push(Number((await head(first)).number))
    expect(await ask(first, 'anvil_getAutomine')).toBe(true)
  }
  expect(heights).toEqual(heights.map((_, i) => heights[0]! + i))
  expect(first.surprises).toEqual([])
  const second = await again(first)
  expect(Number((await head(second)).number)).toBe(heights.at(-1))
  expect(await ask(second, 'eth_getTransactionCount', alice, 'latest')).toBe('0x18')
  await send(second, bob, alice, '0x1')
  await again(second)
})

test('behavior: what waits for a nonce when a checkpoint is made comes when its turn comes, and again after an end', async () => {
  const first = await start()
  await rich(first, alice, bob)
  const transfer = { from: alice, to: bob, value: '0x5' }
  const early = await ask(first, 'eth_sendTransaction', { ...transfer, nonce: '0x1' })
  const sent = ask(first, 'eth_sendTransactionSync', { ...transfer, nonce: '0x2' })
  const unheard = expect(sent).rejects.toThrow()
  await send(first, bob, carol, '0x1')
  await first.folder.checkpoint()
  const second = await again(first)
  await unheard
  expect(await ask(second, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x2' })
  expect(await ask(second, 'eth_getTransactionByHash', early)).toMatchObject({ hash: early })
  await send(second, bob, carol, '0x1')
  await second.folder.checkpoint()
  await ask(second, 'eth_sendTransactionSync', { ...transfer, nonce: '0x0' })
  const { blockHash } = await ask<{ blockHash: Hex }>(second, 'eth_getTransactionReceipt', early)
  const third = await again(second)
  expect(await ask(third, 'eth_getTransactionReceipt', early)).toMatchObject({ blockHash })
  expect(await ask(third, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test('behavior: all that waits is in a checkpoint, in its order and under its hash; what was taken out of the pool is not', async () => {
  const first = await start()
  const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  await rich(first, alice, bob, carol, signer.address)
  await ask(first, 'evm_setAutomine', false)
  const by = (from: string, more: object) =>
    ask(first, 'eth_sendTransaction', { from, value: '0x1', ...more })
  const raw = await signer.signTransaction({
    ...{ chainId: 137, to: bob, value: 3n, gas: 21_000n, maxFeePerGas: 10n ** 12n, nonce: 0 },
  })
  const hashes = [
    await by(carol, { to: bob }),
    await by(alice, { to: bob, gasPrice: '0xe8d4a51000' }),
    await ask(first, 'eth_sendRawTransaction', raw),
    await by(bob, { to: null, input: '0x6001600055', gas: '0x30000' }),
    await by(alice, { to: bob, value: '0x7' }),
  ]
  const dropped = await by(carol, { to: bob, value: '0x9' })
  await ask(first, 'anvil_dropTransaction', dropped)
  await ask(first, 'anvil_stopImpersonatingAccount', carol)
  await first.folder.checkpoint()
  await ask(first, 'evm_mine')
  const block = await ask<{ transactions: Hex[] }>(first, 'eth_getBlockByNumber', 'latest', false)
  expect(block.transactions.toSorted()).toEqual(hashes.toSorted())
  const second = await again(first)
  expect(await ask(second, 'eth_getTransactionByHash', dropped)).toBeNull()
})

test('behavior: what was dropped does not come back', async () => {
  const first = await start()
  await rich(first, alice)
  await ask(first, 'evm_setAutomine', false)
  const hash = await ask(first, 'eth_sendTransaction', { from: alice, to: bob, value: '0x5' })
  const kept = await ask(first, 'eth_sendTransaction', { from: alice, to: bob, value: '0x6' })
  await first.folder.checkpoint()
  await ask(first, 'anvil_dropTransaction', kept)
  const second = await again(first)
  expect(await ask(second, 'eth_getTransactionByHash', kept)).toBeNull()
  expect(await ask(second, 'eth_getTransactionByHash', hash)).toMatchObject({ hash })
  await ask(second, 'anvil_dropTransaction', hash)
  await second.folder.checkpoint()
  expect(await ask(await again(second), 'txpool_status')).toMatchObject({ pending: '0x0' })
})

test('behavior: the fee of the next block is in a checkpoint: one that was set, and what blocks that were taken back have left', async () => {
  const first = await start()
  await rich(first, alice)
  const fee = async (running: Running, block: string) =>
    Number(
      (await ask<{ baseFeePerGas: Hex }>(running, 'eth_getBlockByNumber', block, false))
        .baseFeePerGas,
    )
  await ask(first, 'anvil_setNextBlockBaseFeePerGas', '0x1a13b8600')
  await first.folder.checkpoint()
  const second = await again(first)
  expect(await fee(second, 'pending')).toBe(7e9)
  await second.folder.checkpoint()
  await ask(second, 'evm_mine')
  await ask(second, 'evm_mine')
  expect(await fee(second, 'latest')).toBe(6.125e9)
  const third = await again(second)
  expect(await fee(third, 'latest')).toBe(6.125e9)
  const snapshot = await ask(third, 'evm_snapshot')
  await ask(third, 'anvil_setNextBlockBaseFeePerGas', '0x1a13b8600')
  await ask(third, 'evm_mine')
  await ask(third, 'evm_revert', snapshot)
  const left = await fee(third, 'pending')
  await ask(third, 'evm_mine')
  expect(await fee(third, 'latest')).toBe(left)
  await again(third)
})

test('behavior: no block is earlier than its parent when the time of the node is taken back, and all come again', async () => {
  const first = await start()
  await rich(first, alice)
  const time = async ({ blockHash }: { blockHash: Hex }) =>
    Number((await ask<{ timestamp: Hex }>(first, 'eth_getBlockByHash', blockHash, false)).timestamp)
  const parent = await time(await send(first, alice, bob, '0x1'))
  await ask(first, 'evm_setTime', parent - 5)
  await ask(first, 'anvil_setBlockTimestampInterval', 0)
  expect(await time(await send(first, alice, bob, '0x1'))).toBe(parent)
  expect(await time(await send(first, alice, bob, '0x1'))).toBe(parent)
  await send(await again(first), alice, bob, '0x1')
})

test('behavior: however long the log takes, the chain does not fall behind the clock, and all come again', async () => {
  const secondOfMachine = () => Math.floor(Date.now() / 1000)
  // The second has ended when a block is in the log.
  const first = await start((folder) =>
    Object.create(folder, {
      append: {
        value: async (...entry: Parameters<DataLog['append']>) => {
          const { at } = entry[1] as { at?: number }
          const begun = secondOfMachine()
          while (at !== undefined && begun === secondOfMachine()) await turn()
          await folder.append(...entry)
        },
      },
    }),
  )
  await rich(first, alice)
  for (let i = 0; i < 8; i++) await send(first, alice, bob, '0x1')
  const before = secondOfMachine()
  const { timestamp } = await ask<{ timestamp: Hex }>(
    first,
    'eth_getBlockByNumber',
    'pending',
    false,
  )
  // By itself an anvil that is told the second of a block goes on from there, and that was the second before: it would be nine behind.
  expect(Number(timestamp)).toBeGreaterThanOrEqual(before - 6)
  await again(first)
})

test('behavior: blocks that older versions have made earlier than their parents are made again', async () => {
  const first = await start()
  await rich(first, alice)
  const transfer = [{ from: alice, to: bob, value: '0x1' }]
  const at = Math.floor(Date.now() / 1000) + 1_000
  // As those have logged it.
  for (const time of [at, at - 1, at - 2, at - 1])
    await first.folder.append('polygon', {
      ...{ method: 'eth_sendTransactionSync', params: transfer, at: time, on: undefined },
    })
  await first.end()
  const second = await start()
  expect(await balance(second, bob)).toBe(4n)
  const { hash } = await head(second)
  process.kill(second.node.lifecycle.pid, 'SIGKILL')
  await vi.waitFor(() => expect(second.revivals).toHaveLength(1), { timeout: 30_000 })
  expect((await head(second)).hash).toBe(hash)
  await send(second, alice, bob, '0x1')
  await again(second)
})

/** The node does not live through this one. */
const deadly = ['anvil_setNextBlockBaseFeePerGas', '0x100000000000000000'] as const
const deadlyCommand = { method: deadly[0], params: [deadly[1]] }

test('behavior: the last command of a log that was never answered, and ends the node, is left out for good, and that is said', async () => {
  const first = await start()
  await rich(first, alice)
  await send(first, alice, bob, '0x5')
  // The process ends between the log and the answer.
  await first.folder.append('polygon', deadlyCommand)
  const second = await again(first)
  expect(second.surprises).toEqual([
    'anvil_setNextBlockBaseFeePerGas ended the polygon node, and again when it was done once more. It is left out; everything before it is there',
  ])
  await send(second, alice, bob, '0x1')
  const third = await again(second)
  expect(third.surprises).toEqual([])
  await third.folder.checkpoint()
  const fourth = await again(third)
  expect(await balance(fourth, bob)).toBe(6n)
})

test('error: an acknowledged command that ends the node is not left out; the start says which it is, and changes nothing', async () => {
  const first = await start()
  await rich(first, alice)
  await send(first, alice, bob, '0x5')
  const { hash } = await head(first)
  await first.folder.append('polygon', { ...deadlyCommand, on: hash })
  await ask(first, 'anvil_setBalance', bob, '0x9')
  await first.end()
  const contents = async () => (await openDataFolder(dir, testOrigin)).recovered.changes.polygon
  const before = await contents()
  for (let round = 0; round < 2; round++) {
    await expect(start()).rejects.toThrow(
      `the polygon node ends each time that it does anvil_setNextBlockBaseFeePerGas on block ${hash} again, as its log has it. It may have been acknowledged, so it is not left out. Nothing in the data folder was changed: start it with the svc-sim that wrote it, put back a copy, or name another --data-dir`,
    )
    expect(await contents()).toEqual(before)
  }
})

test('error: what cannot be logged is not done; reads go on', async () => {
  let isFull = false
  const first = await start((folder) => ({
    append: (part, change) =>
      isFull
        ? Promise.reject(new ServiceError('internal_error', 'no room'))
        : folder.append(part, change),
    leaveOut: (part, what) => folder.leaveOut(part, what),
    settled: () => folder.settled(),
    replace: (work, replaced) => folder.replace(work, replaced),
    epoch: 0,
    isClosed: false,
    opened: () => folder.opened(),
    checkpoint: () => folder.checkpoint(),
    isRestoring: false,
    hold: () => {},
  }))
  await rich(first, alice)
  const before = await head(first)
  isFull = true
  await expect(send(first, alice, bob, '0x1')).rejects.toThrow('no room')
  await expect(ask(first, 'evm_mine')).rejects.toThrow('no room')
  await expect(ask(first, 'anvil_setBalance', bob, '0x1')).rejects.toThrow('no room')
  expect(await head(first)).toEqual(before)
  expect(await balance(first, bob)).toBe(0n)
  isFull = false
  await send(first, alice, bob, '0x1')
  expect(await balance(await again(first), bob)).toBe(1n)
})
