import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { networkNames } from '../../deployments/networks.js'
import { worldFiles } from './load.js'
import { buildNetwork } from './network.js'

test('behavior: the state stays small, so that every block is cheap', () => {
  const { files } = worldFiles()
  for (const network of networkNames) {
    const state = JSON.parse(readFileSync(files[network], 'utf8'))
    const accounts = Object.values(state.accounts as Record<string, { storage: object }>)
    const slots = accounts.reduce((sum, account) => sum + Object.keys(account.storage).length, 0)
    expect(slots).toBeLessThan(2000)
  }
})

test('behavior: two builds of one network are equal', async () => {
  const [first, second] = await Promise.all([buildNetwork('polygon'), buildNetwork('polygon')])
  const accounts = (text: string) => JSON.parse(text).accounts as Record<string, unknown>
  expect(Object.keys(accounts(first)).length).toBeGreaterThan(40)
  expect(accounts(second)).toEqual(accounts(first))
  expect(second).toBe(first)
})
