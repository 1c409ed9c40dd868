import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { piecesOf, writePieces } from './checkpointFile.js'
import { checksum } from './frames.js'

const newFile = async () => join(await mkdtemp(join(tmpdir(), 'svc-sim-checkpoint-')), 'a.data')

test('default: a file from its pieces, and what it can be recognised by', async () => {
  const path = await newFile()
  const written = await writePieces(path, ['one ', Buffer.from('zwö'), ''])
  expect(await readFile(path, 'utf8')).toBe('one zwö')
  expect(written).toEqual({ bytes: 8, checksum: checksum('one zwö') })
  const pieces: Buffer[] = []
  for await (const piece of (await piecesOf(path))!) pieces.push(Buffer.from(piece))
  expect(Buffer.concat(pieces).toString()).toBe('one zwö')
})

test('behavior: no file is null', async () => {
  expect(await piecesOf(await newFile())).toBeNull()
})
