import { expect, test } from 'vitest'
import type { NetworkName } from '../../../deployments/networks.js'
import type { ForkPin } from '../../../wal/manifest.js'
import { expectForks, newForks, recoverForks } from './folder.js'

const pin: ForkPin = { block: 7, hash: '0x77' }
const nothing = { files: {}, changes: {}, isNew: false, mark: '', remarks: [] }

/** What is said of a start that forks these in a folder that has those forked. */
async function said(
  cache: readonly NetworkName[],
  asked: readonly NetworkName[],
  bundle?: Partial<Record<NetworkName, ForkPin>>,
): Promise<string> {
  const pins = Object.fromEntries(cache.map((network) => [network, pin]))
  const forks = await recoverForks('kept', pins, nothing)
  const inBundle = bundle && new Map(Object.entries(bundle) as [NetworkName, ForkPin][])
  try {
    expectForks(forks, asked, inBundle)
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}

test('default: the same networks, or none; anything in a folder that is new', async () => {
  expect(await said(['base', 'polygon'], ['base', 'polygon'])).toBe('nothing')
  expect(await said(['base', 'polygon'], [])).toBe('nothing')
  expect(await said(['base'], ['base'], { base: pin })).toBe('nothing')
  const forks = newForks('new')
  expectForks(forks, ['base'], undefined)
  expect(forks.of('base')?.pin).toBe(undefined)
  expect(forks.recordings(['base', 'mainnet']).map(({ part }) => part.name)).toEqual([
    'basereads',
    'mainnetreads',
  ])
})

test('error: a network that is offline in the folder, with what to do', async () => {
  expect(await said(['base'], ['base', 'polygon'])).toMatch(
    /^The data folder kept cannot be used: polygon is offline in it.*Nothing in it was changed\. Leave the fork of polygon out, or name another --data-dir/,
  )
  expect(await said([], ['base', 'polygon'])).toContain('base and polygon are offline in it')
})

test('error: one of its forks left out, with what to do', async () => {
  expect(await said(['base', 'mainnet', 'polygon'], ['base'])).toMatch(
    /mainnet and polygon are forked in it too.*Give --fork mainnet=URL and --fork polygon=URL too; or leave all --fork out/,
  )
})

test('error: a bundle of another block', async () => {
  const other = { base: { block: 8, hash: '0x88' } }
  expect(await said(['base'], ['base'], other)).toMatch(
    /it has base at block 7 \(0x77\), and the bundle at block 8 \(0x88\).*Leave --bundle out/,
  )
})
