import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventRecord } from '../../service/store/store.js'
import { type DataLog, noLog } from '../../wal/dataLog.js'
import type { Recovered } from '../../wal/recover.js'
import { createDeliveries, recoverViews, undelivered } from './deliveries.js'

const event = (cursor: number): EventRecord => ({
  cursor,
  accountId: 'acc_1',
  eventType: 'activity_updated',
  data: {
    activity_id: 'act_1',
    activity_type: 'svc_operation_executed',
    activity_status: 'pending',
  },
  timestamp: cursor,
})

/** A log that keeps lines, until it is full. */
function listedLog() {
  const lines: unknown[] = []
  const state = { isFull: false }
  const log: DataLog = {
    ...noLog,
    async append(_part, change, undo) {
      await null
      if (!state.isFull) return void lines.push(structuredClone(change))
      undo?.()
      throw new Error('the disk is full')
    },
  }
  return { log, lines, state }
}

/** What a folder has that holds these lines, behind this file. */
function folderOf(lines: unknown[], file?: string): Recovered {
  const files = file === undefined ? {} : { deliveries: file }
  return { files, changes: { deliveries: lines }, isNew: false, mark: '', remarks: [] }
}

test('default: what was told is read back from lines, from a file, and from both', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-deliveries-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const { log, lines } = listedLog()
  const deliveries = createDeliveries(log)
  deliveries.begin('acc_1', 10)
  await deliveries.deliver(event(11))
  await deliveries.drop(event(12))
  const file = join(dir, 'deliveries-1.data')
  await writeFile(file, await deliveries.part.content(async () => {}))
  const before = lines.length
  expect(await deliveries.deliver(event(11))).toMatchObject({ cursor: 12, timestamp: 11 })
  const views = deliveries.save()
  expect(await recoverViews(folderOf(lines))).toEqual(views)
  expect(await recoverViews(folderOf(lines.slice(before), file))).toEqual(views)
  expect(await recoverViews(folderOf([]))).toEqual(new Map())
})

test('behavior: undelivered are those of the store that were neither told nor dropped', async () => {
  const deliveries = createDeliveries(noLog)
  deliveries.begin('acc_1', 10)
  await deliveries.drop(event(11))
  await deliveries.deliver(event(13))
  const events = new Map([
    ['acc_1', [10, 11, 12, 13].map(event)],
    ['acc_2', [event(5)]],
  ])
  expect(undelivered(deliveries.save(), events)).toEqual([event(12)])
})

test('behavior: a copy does not change with what is told later, and is restored any number of times', async () => {
  const deliveries = createDeliveries(noLog)
  deliveries.begin('acc_1', 10)
  const saved = deliveries.save()
  for (let time = 0; time < 2; time++) {
    await deliveries.deliver(event(11))
    deliveries.restore(saved)
    expect(deliveries.view('acc_1')).toEqual({ from: 10, deliveries: [] })
  }
})

test('error: what cannot be written is not told, and its cursor is free', async () => {
  const { log, state } = listedLog()
  const deliveries = createDeliveries(log)
  deliveries.begin('acc_1', 10)
  state.isFull = true
  await expect(deliveries.deliver(event(11))).rejects.toThrow('full')
  expect(deliveries.view('acc_1')).toEqual({ from: 10, deliveries: [] })
  state.isFull = false
  expect(await deliveries.deliver(event(11))).toEqual(event(11))
})

test('behavior: what waits for a log that is closed is not told when another life has begun meanwhile', async () => {
  let open = () => {}
  let isClosed = true
  const log: DataLog = {
    ...noLog,
    get isClosed() {
      return isClosed
    },
    opened: () =>
      new Promise((resolve) => {
        open = resolve
      }),
  }
  const deliveries = createDeliveries(log)
  deliveries.begin('acc_1', 10)
  let isDue = true
  const delivered = deliveries.deliver(event(11), () => isDue)
  isDue = false
  isClosed = false
  open()
  expect(await delivered).toBeUndefined()
  expect(deliveries.view('acc_1')).toEqual({ from: 10, deliveries: [] })
})
