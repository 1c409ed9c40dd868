import { expect, test } from 'vitest'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { heldActivities } from './held.js'
import { createJournal } from './journal.js'
import { textOfVerdict } from './verdictText.js'

const pending = {
  ...{ activityId: 'act_1', accountId: 'acc_1', planId: 'pln_1', status: 'pending' },
  metadata: [
    {
      ...{ chain_id: 8453, success: null, transaction_hash: null, expiry: null, action_type: 'X' },
      action_context: { action_type: 'TRANSFER' },
    },
  ],
}

const heldUnder = (more: object, executions: object[] = [{ activity: pending }]) =>
  heldActivities({
    ...{ journal: createJournal({ now: () => 0 }), book: loadAddressBook(), nowMs: 0 },
    store: { executions: async () => executions, activity: async () => pending } as never,
    ...{ rules: [], switches: [], expectedFill: () => undefined, ...more },
  })

const saidOf = (held: Awaited<ReturnType<typeof heldActivities>>) =>
  textOfVerdict({ outcome: 'gone', id: 'act_1', cause: undefined, was: 'pending', ...held.act_1 })

const before =
  'the simulator no longer has act_1: a reset or restore has undone it. Before that, its activity was pending'

test('default: without executions under way nothing is read; one that nothing holds is left out', async () => {
  expect(await heldUnder({}, [])).toEqual({})
  expect(await heldUnder({})).toEqual({})
  expect(saidOf({})).toBe(before)
})

test('behavior: a client’s mining switch and a halted network are named, the switch not under the halt', async () => {
  const by = { network: 'base', method: 'evm_setAutomine', params: [false] }
  const switched = await heldUnder({ switches: [by] })
  expect(switched).toEqual({ act_1: { faults: [], switched: by } })
  expect(saidOf(switched)).toBe(
    `${before}, because a client switched the mining of base off over /rpc (evm_setAutomine [false])`,
  )
  const halt = { id: 'still', on: 'chain', effect: 'halt', match: {}, after: 0, seen: 1, hits: 1 }
  const halted = await heldUnder({ switches: [by], rules: [halt] })
  expect(saidOf(halted)).toBe(`${before}, because still (chain.halt) held it`)
})
