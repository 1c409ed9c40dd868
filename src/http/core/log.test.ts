import { expect, test } from 'vitest'
import { readiness, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { createJournal, type Recording } from '../../observe/journal/journal.js'
import { note } from '../../service/context/requestContext.js'
import type { AppDeps } from '../core/types.js'
import { safeLog, safely } from './log.js'

function fail(): never {
  throw new Error('broken')
}

const broken: Recording = { note: fail, sent: fail, answered: fail }
const journal = createJournal({ now: () => 0 })

/** A world whose bookkeeping fails there. Its readiness notes something on the way. */
function brokenWorld(records: Partial<AppDeps['records']>) {
  return startHttpWorld({
    chains: {
      async readiness() {
        note({ type: 'fault', rule: 'flt_1', effect: 'plan.fail' })
        return readiness(true)
      },
    },
    records,
  })
}

const failing = {
  'the journal at the beginning': { journal: { ...journal, begin: fail } },
  'the journal on the way and at the end': { journal: { ...journal, begin: () => broken } },
  coverage: { coverage: Object.assign(new Map(), { set: fail }) },
}

test.each(Object.entries(failing))(
  'error: a failure of %s is logged, and reaches neither answers nor the process',
  async (_what, overrides) => {
    await using world = await brokenWorld(overrides)
    for (let round = 0; round < 2; round++) {
      expect((await world.client.get('/health/ready')).status).toBe(200)
      expect((await world.client.get('/networks')).body.networks).toHaveLength(5)
      expect((await world.client.post('/accounts', {})).status).toBe(400)
    }
    expect(world.errors.length).toBeGreaterThan(0)
    expect(new Set(world.errors.map(({ cause }) => String(cause)))).toEqual(
      new Set(['Error: broken']),
    )
  },
)

test('error: neither does a failure of the log, where every part of the bookkeeping fails', async () => {
  const all = Object.assign({}, ...Object.values(failing), { log: { debug: fail, error: fail } })
  await using world = await brokenWorld(all)
  expect((await world.client.get('/health/ready')).status).toBe(200)
  expect((await world.client.get('/nope')).status).toBe(404)
})

test('default: what works is passed through', () => {
  const lines: unknown[] = []
  const log = {
    debug: (message: string) => void lines.push(message),
    error: (message: string, cause: unknown) => void lines.push([message, cause]),
  }
  expect(safely(log, () => 7)).toBe(7)
  safeLog(log).debug('one')
  safeLog(log).error('two', 2)
  expect(lines).toEqual(['one', ['two', 2]])
})
