import { expect, test } from 'vitest'
import { stopParts } from './stop.js'

/** What a stop says of a bundle that was to be added to. What it does with real parts: `test/process/stop.test.ts` and `test/process/bundles.test.ts`. */

/** Of chains that end at once; `askedAgo` in milliseconds. */
function stopOf(addToSourceBundle: () => Promise<void>, askedAgo = 0, order: string[] = []) {
  const step = (name: string) => async () => void order.push(name)
  const chains = { checkpoint: step('written down'), stop: step('nodes ended'), addToSourceBundle }
  const listening = { drain: step('answered'), close: step('closed') }
  const askedAt = performance.now() - askedAgo
  return stopParts({ listening, chains, askedAt } as unknown as Parameters<typeof stopParts>[0])
}

test('default: the bundle is added to when the nodes have ended', async () => {
  const order: string[] = []
  await stopOf(async () => void order.push('saved'), 0, order)
  expect(order).toEqual(['answered', 'closed', 'written down', 'nodes ended', 'saved'])
})

test('behavior: if the service does not close in time, the nodes still end and nothing is written', async () => {
  const order: string[] = []
  const chains = {
    checkpoint: async () => void order.push('written down'),
    stop: async () => void order.push('nodes ended'),
    addToSourceBundle: async () => {},
  }
  const listening = { drain: async () => {}, close: () => new Promise(() => {}) }
  const askedAt = performance.now() - 2_790
  await stopParts({ listening, chains, askedAt } as unknown as Parameters<typeof stopParts>[0])
  expect(order).toEqual(['nodes ended'])
})

test('error: a bundle that cannot be added to is what the stop rejects with', async () => {
  await expect(stopOf(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
})

test('error: a bundle for which no time is left is said to lack something', async () => {
  await expect(stopOf(() => new Promise(() => {}), 4_499)).rejects.toThrow(
    'before all that was asked of endpoints was in the bundle. Start it with --save-bundle again',
  )
})
