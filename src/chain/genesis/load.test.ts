import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { networkNames } from '../../deployments/networks.js'
import { worldFiles } from './load.js'

test('default', () => {
  const { hash, files } = worldFiles()
  expect(hash).toMatch(/^[0-9a-f]{16}$/)
  expect(Object.keys(files)).toEqual(networkNames)
})

test('error: a folder without a manifest names itself and the cure', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sim-world-'))
  expect(() => worldFiles(dir)).toThrow(
    `${dir} has no manifest. In a checkout, run "npm run build"`,
  )
})

test('error: a missing state file is named', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sim-world-'))
  const files = Object.fromEntries(networkNames.map((n) => [n, `${n}.json`]))
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ hash: '00', anvil: '1.7.1', files }))
  writeFileSync(join(dir, 'mainnet.json'), '{}')
  expect(() => worldFiles(dir)).toThrow(
    `${join(dir, 'base.json')} is missing. In a checkout, run "npm run build"`,
  )
})
