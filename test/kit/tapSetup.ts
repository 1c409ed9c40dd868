import { vi } from 'vitest'
import type { PassOn } from '../../src/chain/rpc/pipeline.js'
import { rpcTap } from './rpcTap.js'

// Tests that count or hold requests of the service do so next to the last step that may answer by itself.
vi.mock('../../src/chain/rpc/cachedAnswers.js', async (original) => {
  const real = await original<typeof import('../../src/chain/rpc/cachedAnswers.js')>()
  const tapped =
    (next: PassOn): PassOn =>
    (request) => {
      const { by, network, method, params } = request
      const tap = by === 'service' ? rpcTap() : undefined
      if (!tap) return next(request)
      const given = { network, method, params: params as unknown[] }
      return tap(given, () => next(request)) as ReturnType<PassOn>
    }
  return {
    ...real,
    cacheAnswers(...given: Parameters<typeof real.cacheAnswers>) {
      const step = real.cacheAnswers(...given)
      return (request: Parameters<typeof step>[0], next: PassOn) => step(request, tapped(next))
    },
  }
})
