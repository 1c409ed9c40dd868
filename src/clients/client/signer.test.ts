import { expect, test } from 'vitest'
import { signPlan } from './signer.js'

const key = `0x${'11'.repeat(32)}` as const

test('error: an id in the place of a plan is named, with what is wanted', async () => {
  await expect(signPlan('pln_1' as never, key)).rejects.toThrow(
    'the plan must be what plan() has returned, received "pln_1"',
  )
  await expect(signPlan(undefined as never, key)).rejects.toThrow('received undefined')
})
