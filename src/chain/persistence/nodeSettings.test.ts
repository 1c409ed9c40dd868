import { expect, test } from 'vitest'
import type { NodeCommand } from '../rpc/commandLog.js'
import { createNodeSettings } from './nodeSettings.js'

const [automine, everybody] = ['evm_setAutomine', 'anvil_autoImpersonateAccount'] as const
const good = (method: string, isOn: boolean): NodeCommand => ({ method, params: [isOn] })
const forNow = (method: string, isOn: boolean): NodeCommand => ({
  ...good(method, isOn),
  forNow: true,
})

test('behavior: it knows what has switched mining off for good, from a checkpoint, too', () => {
  const [off, on] = [good(automine, false), good(automine, true)]
  for (const [commands, switchedOff] of [
    [[off, forNow(automine, false)], off],
    [[forNow(automine, false)], undefined],
    [[off, on], undefined],
  ] as const) {
    const settings = createNodeSettings()
    for (const command of commands) settings.done(command)
    const again = createNodeSettings()
    for (const command of settings.commands()) again.done(command)
    expect([settings.switchedOff, again.switchedOff]).toEqual([switchedOff, switchedOff])
  }
})

test.each<[string, NodeCommand[], boolean, object[]]>([
  ['nothing', [], true, []],
  ['a client', [good(automine, false)], false, []],
  ['a fault', [forNow(automine, false)], false, [{ method: automine, isOn: true }]],
  ['a fault that has ended', [forNow(automine, false), good(automine, true)], true, []],
  ['a client, then a fault', [good(automine, false), forNow(automine, false)], false, []],
  ['a fault, then a client', [forNow(automine, false), good(automine, false)], false, []],
  [
    'a client, and on for a while',
    [good(automine, false), forNow(automine, true)],
    true,
    [{ method: automine, isOn: false }],
  ],
  ['a reorganisation', [forNow(everybody, true)], true, [{ method: everybody, isOn: false }]],
  ['a client that acts for everybody', [good(everybody, true)], true, []],
])(
  'behavior: left by %s: what was set only for a while is undone; from a checkpoint, too',
  (_, commands, mines, left) => {
    const settings = createNodeSettings()
    for (const command of commands) settings.done(command)
    const again = createNodeSettings()
    for (const command of settings.commands()) again.done(command)
    for (const each of [settings, again]) {
      expect(each.mines).toBe(mines)
      expect(each.leftovers()).toEqual(left)
    }
  },
)
