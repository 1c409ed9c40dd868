import { vi } from 'vitest'
import type { PassOn } from '../../src/chain/rpc/pipeline.js'
import { rpcTap } from './rpcTap.js'

// Tests that count or hold requests of the service do so next to the last step that may answer by itself.
vi.mock('../../src/chain/rpc/cachedAnswers.js', async (original) => {
  const real = await original<typeof import('../../src/chain/rpc/cachedAnswers.js')>()
  const tapped =
    (next: PassOn): PassOn =>
    (message) => {
      const { by, network, text } = message
      const tap = by === 'service' ? rpcTap() : undefined
      if (!tap) return next(message)
      const { method, params } = JSON.parse(text) as { method: string; params: unknown[] }
      return tap({ network, method, params }, () => next(message)) as Promise<string>
    }
  return {
    ...real,
    cacheAnswers(...given: Parameters<typeof real.cacheAnswers>) {
      const step = real.cacheAnswers(...given)
      return (message: Parameters<typeof step>[0], next: PassOn) => step(message, tapped(next))
    },
  }
})
