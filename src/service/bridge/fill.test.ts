import { expect, test } from 'vitest'
import type { Faucet, FaucetRequest } from '../../chain/funds/faucet.js'
import { StoppedError, unlessStopped } from '../../chain/transactions/pool.js'
import { createFunding } from './fill.js'

/** A faucet whose gifts wait until they are let go, and that refuses amounts above 1,000. */
function slowFaucet() {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const faucet: Faucet = {
    async fund({ address, asset, amount, network, signal }: FaucetRequest) {
      asked.push(`${amount} ${asset} on ${network}`)
      await unlessStopped(new Promise<void>((go) => waiting.push(go)), signal!)
      if (amount > 1_000n) throw new Error('too much')
      return { address, asset, network, balance: amount }
    },
  }
  const next = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise(setImmediate)
    waiting.shift()!()
    await new Promise(setImmediate)
  }
  return { faucet, asked, next }
}

const { signal } = new AbortController()
const usdc = { asset: 'USDC', network: 'base', signal } as const

test('default: what is asked for while a gift is on its way is given as one', async () => {
  const { faucet, asked, next } = slowFaucet()
  const fund = createFunding(faucet)
  const first = fund({ ...usdc, amount: 1n })
  await new Promise(setImmediate)
  const others = [20n, 300n].map((amount) => fund({ ...usdc, amount }))
  await next()
  await first
  await next()
  await Promise.all(others)
  expect(asked).toEqual(['1 USDC on base', '320 USDC on base'])
})

test('behavior: other assets and networks do not wait, and later ones get their own', async () => {
  const { faucet, asked, next } = slowFaucet()
  const fund = createFunding(faucet)
  const all = [
    fund({ ...usdc, amount: 1n }),
    fund({ asset: 'WETH', network: 'base', signal, amount: 2n }),
    fund({ asset: 'USDC', network: 'polygon', signal, amount: 3n }),
  ]
  for (const _ of all) await next()
  await Promise.all(all)
  const later = fund({ ...usdc, amount: 4n })
  await next()
  await later
  expect(asked).toEqual(['1 USDC on base', '2 WETH on base', '3 USDC on polygon', '4 USDC on base'])
})

test('error: one that cannot be given fails alone', async () => {
  const { faucet, asked, next } = slowFaucet()
  const fund = createFunding(faucet)
  const first = fund({ ...usdc, amount: 1n })
  await new Promise(setImmediate)
  const [small, large] = [fund({ ...usdc, amount: 2n }), fund({ ...usdc, amount: 5_000n })]
  const refused = expect(large).rejects.toThrow('too much')
  for (let i = 0; i < 4; i++) await next()
  await Promise.all([first, small, refused])
  expect(asked.slice(1)).toEqual(['5002 USDC on base', '2 USDC on base', '5000 USDC on base'])
})

test('behavior: a gift goes on while one of its fills wants it, and ends when none does', async () => {
  const { faucet, asked, next } = slowFaucet()
  const fund = createFunding(faucet)
  const stops = [0, 1, 2, 3].map(() => new AbortController())
  const asking = (i: number) =>
    fund({ ...usdc, amount: 10n ** BigInt(i), signal: stops[i]!.signal })
  const first = asking(0)
  await new Promise(setImmediate)
  const both = [asking(1), asking(2)]
  stops[1]!.abort()
  for (let i = 0; i < 2; i++) await next()
  await Promise.all([first, ...both])
  expect(asked).toEqual(['1 USDC on base', '110 USDC on base'])
  const last = asking(3)
  const stopped = expect(last).rejects.toThrow(StoppedError)
  await new Promise(setImmediate)
  stops[3]!.abort()
  await stopped
})
