import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'

/** The aggregator answers an error of its own. */
export const httpError = defineEffect({
  on: 'quote',
  name: 'http_error',
  summary: 'The aggregator returns `status` (503 when absent): 422 `swap_quote_failed`.',
  settings: z.strictObject({ status: z.int().min(400).max(599).default(503) }),
  apply: async ({ status }) => ({
    status,
    body: { code: 'NODE_UNAVAILABLE' as const, reason: 'a fault rule says so' },
  }),
})
