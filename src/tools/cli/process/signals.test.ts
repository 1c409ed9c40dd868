import { expect, test } from 'vitest'
import type { RunningProcess } from '../../../lib/processTable.js'
import { findStarters, isForeground } from './signals.js'

/** A table in which each process is the parent of the one before; the first is our own parent, with id 10. */
function tableOf(...commands: string[][]) {
  const line = commands.map(
    (words, index): RunningProcess => ({
      pid: 10 + index,
      parent: 11 + index,
      words,
      startedAt: '',
    }),
  )
  return { find: (pid: number) => line[pid - 10], isRunning: () => true }
}

const names = (ancestors: readonly RunningProcess[]) => ancestors.map(({ words }) => words[0])
const npx = ['npm exec svc-sim start', '']
const shell = ['sh', '-c', "'svc-sim' start --json"]
const npmFile = '/usr/lib/node_modules/npm/bin/npm-cli.js'

test.each([
  ['npx', [shell, npx, ['bash']], ['sh', npx[0]], 'bash'],
  ['npx whose shell became us', [npx, ['zsh']], [npx[0]], 'zsh'],
  [
    'a script that calls npx',
    [shell, npx, ['sh', '-c', 'npx svc-sim start'], ['npm run sim']],
    ['sh', npx[0], 'sh', 'npm run sim'],
    undefined,
  ],
  [
    'npm before it has a title',
    [shell, ['node', npmFile, 'exec'], ['make']],
    ['sh', 'node'],
    'make',
  ],
  ['no npm', [['bash', 'step.sh'], ['agent']], [], 'bash'],
  ['a shell of a test runner', [shell, ['node', 'runner.js'], npx], [], 'node'],
  [
    'a background process of a script',
    [['sh', '-c', 'svc-sim start > log 2>&1 & wait-on'], ['npm run e2e']],
    [],
    'sh',
  ],
  ['a program that npm runs', [['node', 'serve.js'], shell, npx], [], 'node'],
  ['a container', [], [], undefined],
])('%s', (_, commands, wrappers, starter) => {
  const found = findStarters(tableOf(...commands), 10, npmFile)
  expect(names(found.wrappers)).toEqual(wrappers)
  expect(found.starter?.words[0]).toBe(starter)
})

test.each([
  ['svc-sim start', true],
  ['a && svc-sim start 2>&1 | tee log', true],
  ['svc-sim start &> log', true],
  ['svc-sim start >& log', true],
  [`svc-sim start --fork 'base=https://host/?a=1&b=2'`, true],
  ['svc-sim start --scenario "a & \\" & b"', true],
  ['svc-sim start &', false],
  ['svc-sim start& wait-on x', false],
  ['(svc-sim start > log 2>&1 &) && echo', false],
])('foreground: %s', (line, expected) => {
  expect(isForeground(line)).toBe(expected)
})
