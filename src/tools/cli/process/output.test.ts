import { afterEach, expect, test, vi } from 'vitest'

/** The module anew: that nothing is coloured holds for the rest of a program. */
async function fresh() {
  vi.resetModules()
  return import('./output.js')
}

/** Runs work on a stream that is a terminal or not, with colours or not; returns what was written. */
async function written(
  name: 'stdout' | 'stderr',
  { isTTY, colours }: { isTTY: boolean; colours: boolean },
  work: () => unknown,
): Promise<string> {
  let text = ''
  const stream = process[name]
  const before = { isTTY: stream.isTTY, hasColors: stream.hasColors }
  Object.assign(stream, { isTTY, hasColors: () => colours })
  vi.spyOn(stream, 'write').mockImplementation((more, done?: unknown) => {
    text += more
    if (typeof done === 'function') done()
    return true
  })
  await work()
  vi.restoreAllMocks()
  Object.assign(stream, before)
  return text
}
afterEach(() => void vi.restoreAllMocks())

const terminal = { isTTY: true, colours: true }

test('default: on a terminal failures are red and the outcome is bold; elsewhere and without colours it is plain', async () => {
  const { complain, logLine, printResult, say } = await fresh()
  const red = 'svc-sim: \u001b[31mgone\u001b[39m\n'
  expect(await written('stderr', terminal, () => complain('gone'))).toBe(red)
  expect(await written('stderr', terminal, () => say('gone'))).toBe('svc-sim: gone\n')
  expect(await written('stderr', terminal, () => logLine('failed  act_1'))).toContain('[31m')
  expect(await written('stderr', terminal, () => logLine('200  GET /'))).not.toContain('[31m')
  const result = () => printResult('FAIL  anvil\nnow: confirmed\n')
  expect(await written('stdout', terminal, result)).toBe(
    '\u001b[31mFAIL\u001b[39m  anvil\n\u001b[1mnow: confirmed\u001b[22m\n',
  )
  for (const plain of [
    { ...terminal, isTTY: false },
    { ...terminal, colours: false },
  ]) {
    expect(await written('stderr', plain, () => complain('gone'))).toBe('svc-sim: gone\n')
    expect(await written('stdout', plain, result)).toBe('FAIL  anvil\nnow: confirmed\n')
  }
})

test('behavior: with --no-color nothing is coloured', async () => {
  const { complain, setOutput } = await fresh()
  setOutput({ isColoured: false })
  expect(await written('stderr', terminal, () => complain('gone'))).toBe('svc-sim: gone\n')
})
