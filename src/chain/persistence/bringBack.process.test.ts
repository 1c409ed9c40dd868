import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
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
} from '../../../test/kit/loggedNode.js'
import { NodeOverError } from '../rpc/nodeLifecycle.js'
import { sendForReceipt } from '../transactions/send.js'
import { subscribe } from '../transactions/subscribe.js'

/** One real node that is killed: what was asked of it is done by the process that comes after. */

const carol = '0x00000000000000000000000000000000000000cc'
let dir: string
let running: Running

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bring-back-'))
  running = await startLogged(dir)
  await rich(running, alice, bob)
})
afterEach(async () => {
  await running.end()
  await rm(dir, { recursive: true })
})

function kill(): Promise<void> {
  const before = running.revivals.length
  process.kill(running.node.lifecycle.pid, 'SIGKILL')
  return vi.waitFor(() => expect(running.revivals.length).toBe(before + 1), {
    timeout: 30_000,
    interval: 1,
  })
}

interface Block {
  number: Hex
  hash: Hex
  timestamp: Hex
}
const block = (which: string) => ask<Block | null>(running, 'eth_getBlockByNumber', which, false)

test('default: the same head and balances, and whom it may act for; transactions under way are there once', async () => {
  await send(running, alice, bob, '0x5')
  const before = await head(running)
  await kill()
  expect(await head(running)).toEqual(before)
  expect(running.revivals).toMatchObject([{ network: 'polygon', signal: 'SIGKILL' }])
  const sends = Array.from({ length: 60 }, (_, i) =>
    send(running, i % 2 ? alice : bob, carol, '0x1'),
  )
  await sends[10]
  await kill()
  const receipts = await Promise.all(sends)
  expect(await balance(running, carol)).toBe(60n)
  expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(60)
  for (const { transactionHash, blockHash } of receipts)
    expect(await ask(running, 'eth_getTransactionReceipt', transactionHash)).toMatchObject({
      status: '0x1',
      blockHash,
    })
  expect(running.surprises).toEqual([])
})

test('behavior: killed in the middle of shared blocks, each transaction is there once, with the receipt that was given', async () => {
  const share = (i: number) =>
    sendForReceipt(running.node, { from: i % 2 ? alice : bob, to: carol, value: 1n })
  await share(0)
  for (let round = 1; round <= 2; round++) {
    const sends = Array.from({ length: 60 }, (_, i) => share(i))
    // In another moment of the work each time.
    for (let turns = 0; turns < round * 7; turns++) await ask(running, 'eth_chainId')
    await kill()
    const receipts = await Promise.all(sends)
    expect(await balance(running, carol)).toBe(BigInt(1 + round * 60))
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(60)
    for (const receipt of receipts)
      expect(await ask(running, 'eth_getTransactionReceipt', receipt.transactionHash)).toEqual(
        receipt,
      )
  }
  expect(running.surprises).toEqual([])
})

test('behavior: after a checkpoint, and while one is being written', async () => {
  await send(running, alice, bob, '0x5')
  await running.folder.checkpoint()
  await send(running, alice, carol, '0x6')
  await kill()
  expect(await balance(running, carol)).toBe(6n)
  const checkpoint = running.folder.checkpoint()
  await kill()
  await checkpoint
  await send(running, alice, carol, '0x1')
  expect(await balance(running, carol)).toBe(7n)
  await running.end()
  running = await startLogged(dir)
  expect(running.isSame).toBe(true)
  expect(await balance(running, carol)).toBe(7n)
})

test('behavior: what waits for a block goes on waiting, and whoever sent it hears of its receipt', async () => {
  await ask(running, 'evm_setAutomine', false)
  const first = send(running, alice, carol, '0x5')
  await vi.waitFor(
    async () => expect(await ask(running, 'txpool_status')).toMatchObject({ pending: '0x1' }),
    10_000,
  )
  await kill()
  expect(await ask(running, 'txpool_status')).toMatchObject({ pending: '0x1' })
  expect(await ask<boolean>(running, 'anvil_getAutomine')).toBe(false)
  await ask(running, 'evm_mine')
  const { transactionHash } = await first
  expect(await ask(running, 'eth_getTransactionReceipt', transactionHash)).toEqual(await first)
  expect(await balance(running, carol)).toBe(5n)
})

test('behavior: what waits for a nonce comes when its turn comes', async () => {
  const nonce = Number(await ask(running, 'eth_getTransactionCount', alice, 'latest'))
  const early = ask<{ status: Hex }>(running, 'eth_sendTransactionSync', {
    from: alice,
    to: carol,
    value: '0x5',
    nonce: `0x${(nonce + 1).toString(16)}`,
  })
  await vi.waitFor(
    async () => expect(await ask(running, 'txpool_status')).toMatchObject({ queued: '0x1' }),
    10_000,
  )
  await send(running, bob, carol, '0x1')
  await kill()
  await send(running, alice, carol, '0x7')
  expect(await early).toMatchObject({ status: '0x1' })
  expect(await balance(running, carol)).toBe(13n)
})

test('behavior: who waits hears of the receipt when the node dies after checkpoints, more than once', async () => {
  await ask(running, 'evm_setAutomine', false)
  const sends = [send(running, alice, carol, '0x5'), send(running, alice, carol, '0x5')]
  await vi.waitFor(
    async () => expect(await ask(running, 'txpool_status')).toMatchObject({ pending: '0x2' }),
    10_000,
  )
  for (let round = 0; round < 2; round++) {
    await running.folder.checkpoint()
    await kill()
    await running.folder.checkpoint()
  }
  await ask(running, 'evm_mine')
  const hashes = (await Promise.all(sends)).map(({ transactionHash }) => transactionHash)
  expect(new Set(hashes).size).toBe(2)
  expect(await balance(running, carol)).toBe(10n)
})

test('behavior: the time of the next block is what it was: ahead, in steps, or exact', async () => {
  const nextTime = async () => Number((await block('pending'))!.timestamp)
  await ask(running, 'evm_increaseTime', 100_000)
  const ahead = await nextTime()
  await kill()
  // The clock goes on.
  expect(await nextTime()).toBeGreaterThanOrEqual(ahead)
  expect(await nextTime()).toBeLessThan(ahead + 60)
  await ask(running, 'evm_setNextBlockTimestamp', ahead + 5_000)
  await ask(running, 'anvil_setBlockTimestampInterval', 12)
  await ask(running, 'evm_setNextBlockTimestamp', ahead + 5_000)
  await kill()
  await ask(running, 'evm_mine')
  expect(Number((await block('latest'))!.timestamp)).toBe(ahead + 5_000)
  expect(await nextTime()).toBe(ahead + 5_012)
})

test('behavior: who has subscribed hears of what came meanwhile, and goes on hearing', async () => {
  const heads: Hex[] = []
  let missed = 0
  const onHead = ({ hash }: { hash: Hex }) => void heads.push(hash)
  const heard = subscribe(running.node, ['newHeads'], onHead, () => void missed++)
  await heard.resume()
  await kill()
  await vi.waitFor(() => expect(missed).toBe(1), 10_000)
  await ask(running, 'evm_mine')
  const { hash } = await head(running)
  await vi.waitFor(() => expect(heads).toContain(hash), 10_000)
  heard.pause()
  heard.end()
  await kill()
  expect(missed).toBe(1)
})

test('behavior: the start can be had back after checkpoints and deaths; its file goes with the folder being closed', async () => {
  await send(running, alice, carol, '0x5')
  await running.folder.checkpoint()
  await send(running, alice, carol, '0x1')
  const before = await head(running)
  running.node.start!.keep()
  for (let round = 0; round < 2; round++) {
    await send(running, alice, carol, '0x9')
    await running.folder.checkpoint()
    if (round === 1) await kill()
    await running.folder.replace(() => running.node.start!.restart(), 'everything')
    expect(await head(running)).toEqual(before)
    expect(await balance(running, carol)).toBe(6n)
  }
  expect(running.revivals).toHaveLength(1)
  const files = async () => (await readdir(dir)).filter((name) => name.startsWith('polygon-'))
  expect(await files()).toHaveLength(2)
  await running.end()
  expect(await files()).toHaveLength(1)
  running = await startLogged(dir)
  expect(await head(running)).toEqual(before)
})

test('error: a command that ends the node is left out, as often as it comes; who sent it hears that, and nobody else notices', async () => {
  const deadly = () => ask(running, 'anvil_setNextBlockBaseFeePerGas', '0x100000000000000000')
  const rounds = 4
  for (let round = 1; round <= rounds; round++) {
    const [ended, sent, read] = await Promise.allSettled([
      deadly(),
      send(running, alice, carol, '0x5'),
      balance(running, bob),
    ])
    expect(ended).toMatchObject({
      reason: {
        code: -32000,
        message:
          'anvil_setNextBlockBaseFeePerGas ended the polygon node, and again when it was done once more. It is left out; everything before it is there',
      },
    })
    expect([sent.status, read.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(await balance(running, carol)).toBe(BigInt(5 * round))
    await vi.waitFor(() => expect(running.revivals).toHaveLength(round))
  }
  expect(running.surprises).toHaveLength(rounds)
  expect(running.deaths).toEqual([])
  // A death of another kind, and one after a checkpoint.
  await kill()
  await running.folder.checkpoint()
  await expect(deadly()).rejects.toThrow('It is left out')
  await send(running, alice, carol, '0x1')
  const before = await head(running)
  await running.end()
  running = await startLogged(dir)
  expect(running.isSame).toBe(true)
  expect(running.surprises).toEqual([])
  expect(await head(running)).toEqual(before)
  expect(await balance(running, carol)).toBe(BigInt(5 * rounds + 1))
})

test('error: killed while everything is replaced, it is not brought back, and who waits hears why', async () => {
  const why = 'it was being changed as a whole'
  const replacing = running.folder.replace(async () => {
    process.kill(running.node.lifecycle.pid, 'SIGKILL')
    await send(running, alice, carol, '0x5')
  }, 'everything')
  await expect(replacing).rejects.toThrow(why)
  await expect(running.node.lifecycle.up()).rejects.toThrow(NodeOverError)
  expect(running.deaths).toMatchObject([{ why: expect.stringContaining(why) }])
  await expect(ask(running, 'eth_blockNumber')).rejects.toThrow(why)
})

test('error: killed when it was taken back and that is not written down yet; a start begins before', async () => {
  const id = await ask(running, 'evm_snapshot')
  await send(running, alice, carol, '0x5')
  const { pid } = running.node.lifecycle
  // The revert is done, and its checkpoint waits for this one.
  const writing = running.folder.checkpoint()
  const replacing = running.folder.replace(async () => {
    await ask(running, 'evm_revert', id)
    process.kill(pid, 'SIGKILL')
  }, ['polygon'])
  await expect(replacing).rejects.toThrow()
  await writing
  await vi.waitFor(
    () => expect(running.deaths).toMatchObject([{ why: expect.stringContaining('as a whole') }]),
    10_000,
  )
  await running.end()
  running = await startLogged(dir)
  expect(await balance(running, carol)).toBe(5n)
})
