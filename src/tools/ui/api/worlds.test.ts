import { afterAll, expect, test, vi } from 'vitest'
import type { WorldView } from './types.js'

vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
afterAll(() => vi.unstubAllGlobals())
const { byFailure } = await import('./worlds.js')

const calm = {
  ...{ failed_tests: [], flaky_tests: [], lost: null, failed_activities: 0, refused: 0, cut: 0 },
}
const world = (id: string, more: Partial<WorldView> = {}): WorldView =>
  ({ ...calm, id, name: id, ...more }) as WorldView

test('default: failed tests come first in the order of the run, whatever failed in them, then flaky ones, then passing ones with failures', () => {
  const all = [
    world('calm'),
    world('refused', { refused: 1 }),
    world('passed', { failed_activities: 2, passed_tests: ['passed'] }),
    world('flaky', { flaky_tests: ['flaky'], refused: 3 }),
    world('first', { failed_tests: ['first'] }),
    world('second', { failed_tests: ['second'], failed_activities: 3, refused: 2 }),
    world('file', { failed_tests: ['first', 'second'] }),
    world('lost', { lost: 'its process ended' }),
    world('third', { failed_tests: ['third'], refused: 1 }),
  ]
  const order = 'first second third file lost flaky passed refused calm'
  expect(byFailure(all).map(({ id }) => id)).toEqual(order.split(' '))
})
