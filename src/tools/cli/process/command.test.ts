import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cannotRun } from './command.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-sim-program-'))
const [first, second] = [join(folder, 'first'), join(folder, 'second')]
for (const each of [first, second, join(first, 'a-folder')]) mkdirSync(each)
for (const [place, mode] of [
  [join(first, 'both'), 0o644],
  [join(second, 'both'), 0o755],
  [join(first, 'plain'), 0o644],
] as const) {
  writeFileSync(place, '')
  chmodSync(place, mode)
}
const env = { PATH: `${first}:${second}` }

test.runIf(process.platform !== 'win32')(
  'default: by its place, or the first in PATH that can be run',
  () => {
    expect(cannotRun('both', env)).toBeUndefined()
    expect(cannotRun(join(second, 'both'), {})).toBeUndefined()
    expect(cannotRun('sh', {})).toBeUndefined() // the system has a PATH of its own then
  },
)

test.runIf(process.platform !== 'win32').each([
  ['nowhere', 127, 'not found'],
  ['', 127, 'not found'],
  ['./nowhere', 127, 'not found'],
  [join(first, 'both', 'below'), 127, 'not found'],
  ['plain', 126, 'EACCES'],
  ['a-folder', 126, 'EACCES'],
  [join(first, 'plain'), 126, 'EACCES'],
])('error: %j', (file, code, why) => {
  expect(cannotRun(file, env)).toEqual({ code, why: expect.stringContaining(why) })
})
