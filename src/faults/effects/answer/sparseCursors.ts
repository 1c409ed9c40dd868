import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'

/** A cursor is an integer that grows; the interface promises no more. */
export const sparseCursors = defineEffect({
  on: 'answer.delivery',
  name: 'sparse_cursors',
  summary:
    'An event of the account gets a cursor far beyond the one before, up to `most` further. Later events continue from there, so a client can resume from every cursor that was ever returned.',
  settings: z.strictObject({ most: z.int().min(1).max(1_000_000_000).default(1_000_000) }),
  apply({ most }, call, proceed) {
    const { accountId, cursor } = call.event
    const drawn = createHash('sha256').update(`${accountId}:${cursor}`).digest().readUIntBE(0, 6)
    call.jump = 1 + (drawn % most)
    return proceed()
  },
})
