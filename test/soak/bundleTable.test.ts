import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { recordedFrom, recordFrom, tableOf } from '../kit/bundleTable.js'
import { createSimulator } from '../kit/simulator.js'

/** Bundles of every network from every kind of endpoint, for named signers and for others. In the small: test/process/bundleSigners.test.ts. */

const named: Hex = `0x${'42'.repeat(32)}`

describe.each(networkNames)('%s', (network) => {
  test.each(recordedFrom)(
    'default: recorded from %s, every kind of plan is confirmed, over bridges too, for named signers and for others',
    async (from) => {
      const bundle = await recordFrom(from, network, [named])
      for (const key of [named, undefined]) {
        await using sim = await createSimulator({ bundle, bridgeDelayMs: 20 })
        const rows = await tableOf(sim, network, key)
        expect(rows.filter(([, end]) => end !== 'confirmed')).toEqual([])
        expect(rows.length).toBeGreaterThan(20)
      }
    },
    600_000,
  )
})
