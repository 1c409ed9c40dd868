import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { watched } from '../kit/egress.js'

/** Whether `watched` sees what leaves this machine: `bundles.test.ts` and others rely on it. */

test('behavior: what would leave this machine is seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'egress-'))
  const { env, lines } = watched(join(folder, 'control'))
  const program = "require('node:net').connect(9, '192.0.2.1').on('error', () => {}).destroy()"
  await promisify(execFile)(process.execPath, ['-e', program], { env: { ...process.env, ...env } })
  expect(await lines()).toEqual([expect.stringMatching(/^\d+ away 192\.0\.2\.1$/)])
})
