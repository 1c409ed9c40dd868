import { expect, test } from 'vitest'
import type { Node } from '../rpc/node.js'
import { expectMining, inMoment } from './mining.js'

/** A node that says whether it mines, and nothing else; each wrapping of it is another object. */
function nodeThatSays(mines: () => boolean) {
  const lifecycle = {}
  const request = async (method: string) => (method === 'anvil_getAutomine' ? mines() : null)
  return () => ({ network: 'base', lifecycle, rpc: { request } }) as unknown as Node
}

test('behavior: who asks in a moment in which no blocks are mined is answered afterwards', async () => {
  let mines = false
  const node = nodeThatSays(() => mines)
  let end = (): void => {}
  const moment = inMoment(node(), () => new Promise<void>((resolve) => (end = resolve)))
  const asked = expectMining([node()], 'nothing was given')
  setImmediate(() => {
    mines = true
    end()
  })
  await asked
  await moment
})

test('error: a moment that leaves the network without blocks, or ends in an error, is over all the same', async () => {
  const node = nodeThatSays(() => false)
  const failing = inMoment(node(), async () => {
    throw new Error('no answer')
  })
  await expect(expectMining([node()], 'nothing was given')).rejects.toThrow(
    'The base network mines no blocks, since its mining is switched off; nothing was given',
  )
  await expect(failing).rejects.toThrow('no answer')
})

test.each([
  [undefined, 'a client switched the mining of base off over /rpc (evm_setAutomine [false]). Send'],
  [
    true as const,
    'the mining of base is switched off in its data folder (evm_setAutomine [false]). Send',
  ],
])(
  'error: the hint names who switched it off; after a restart (%s) only the data folder knows',
  async (isRestored, said) => {
    const clientSwitch = { method: 'evm_setAutomine', params: [false], isRestored }
    const node = { ...nodeThatSays(() => false)(), gate: { clientSwitch } } as unknown as Node
    await expect(expectMining([node], 'nothing was given')).rejects.toMatchObject({
      hint: expect.stringContaining(`No fault holds it: ${said}`),
    })
  },
)
