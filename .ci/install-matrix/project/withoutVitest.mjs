// Where there is no vitest, the fixtures say so.
import assert from 'node:assert/strict'

await assert.rejects(import('svc-sim/vitest'), /svc-sim\/vitest needs vitest, but there is none/)
