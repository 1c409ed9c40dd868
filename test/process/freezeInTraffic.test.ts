import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { imageOf } from '../kit/dataFolders.js'
import { rpc } from '../kit/http.js'

/** The clock is frozen while others send: blocks never come before their parents, and a folder can be gone on with. */

const sender = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01'
const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

interface Block {
  number: string
  hash: string
  timestamp: string
}

async function blocksOf(sim: SimulatorHandle): Promise<Block[]> {
  const height = Number(await rpc(sim.rpc('base'), 'eth_blockNumber'))
  const numbers = Array.from({ length: 60 }, (_, i) => `0x${(height - i).toString(16)}`).reverse()
  return Promise.all(
    numbers.map((number) => rpc<Block>(sim.rpc('base'), 'eth_getBlockByNumber', [number, false])),
  )
}

/** Sends without a pause until it is told to stop, several at once. */
function sending(sim: SimulatorHandle): () => Promise<void> {
  let isOver = false
  const clients = Array.from({ length: 6 }, async () => {
    while (!isOver)
      await rpc(sim.rpc('base'), 'eth_sendTransactionSync', [
        { from: sender, to: sender, value: '0x1' },
      ])
  })
  return async () => {
    isOver = true
    await Promise.all(clients)
  }
}

test('default: no block comes before its parent, those that come later have the frozen second, and after a sudden end all of them are there again', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-freeze-'))
  dirs.push(dir)
  const sim = await createSimulator({ dataDir: dir })
  await rpc(sim.rpc('base'), 'anvil_setBalance', [sender, '0x56bc75e2d63100000'])
  await rpc(sim.rpc('base'), 'anvil_impersonateAccount', [sender])
  // Requests of the node take so long that a second goes by between two of them.
  await sim.faults.add({ on: 'chain', effect: { slow: { ms: 400 } }, match: { network: 'base' } })
  const stop = sending(sim)
  for (let round = 0; round < 2; round++) {
    await sim.clock.freeze()
    const { ms: frozenMs } = sim.clock.time()
    await rpc(sim.rpc('base'), 'eth_sendTransactionSync', [
      { from: sender, to: sender, value: '0x1' },
    ])
    const latest = await rpc<Block>(sim.rpc('base'), 'eth_getBlockByNumber', ['latest', false])
    expect(Number(latest.timestamp)).toBe(Math.floor(frozenMs / 1000))
    await sim.clock.resume()
  }
  await sim.clock.freeze()
  await stop()
  await sim.faults.clear()
  const blocks = await blocksOf(sim)
  const times = blocks.map(({ timestamp }) => Number(timestamp))
  expect(times).toEqual([...times].sort((one, other) => one - other))
  const image = await imageOf(dir)
  dirs.push(image)
  await sim.close()
  await using again = await createSimulator({ dataDir: image })
  const hashesOf = (all: Block[]) => new Map(all.map(({ number, hash }) => [number, hash]))
  const known = hashesOf(await blocksOf(again))
  for (const [number, hash] of hashesOf(blocks))
    if (known.has(number)) expect(known.get(number), number).toBe(hash)
  expect(again.clock.time().mode).toBe('frozen')
})
