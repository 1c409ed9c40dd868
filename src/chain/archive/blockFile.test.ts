import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { type ArchivedBlock, BlockFile } from './blockFile.js'

const pathOf = () => join(mkdtempSync(join(tmpdir(), 'svc-sim-blocks-')), 'base.blocks')

function blockOf(number: number, salt: string): ArchivedBlock {
  const hash = toHex(`${salt}${number}`, { size: 32 })
  const block = { number: toHex(number), hash, parentHash: hash, transactions: [{ hash }] }
  return { block, receipts: [{ transactionHash: hash, logs: [] }] }
}

test('default: what is appended is read back, and again after it was opened anew', async () => {
  const path = pathOf()
  const blocks = [blockOf(1, 'a'), blockOf(2, 'a')]
  for (const append of [true, false]) {
    const file = await BlockFile.open(path, true)
    if (append) await file.append(blocks)
    expect(await Promise.all(file.records.map((record) => file.read(record)))).toEqual(blocks)
    await file.close()
  }
})

test('behavior: a block that is cut off while it is read is not there, whatever takes its place', async () => {
  const file = await BlockFile.open(pathOf(), false)
  await file.append([blockOf(1, 'a'), blockOf(2, 'a')])
  const [kept, gone] = file.records
  const reading = file.read(gone!)
  await Promise.all([file.drop(1), file.append([blockOf(2, 'other'), blockOf(3, 'other')])])
  expect(await reading).toBeUndefined()
  expect(await file.read(gone!)).toBeUndefined()
  expect(await file.read(kept!)).toEqual(blockOf(1, 'a'))
  expect(file.ofBlock(gone!.hash)).toBeUndefined()
  await file.close()
})
