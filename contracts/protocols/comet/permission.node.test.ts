import type { Address, Hex } from 'viem'
import { parseSignature, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { pad, toHex } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { alice, bob, carol, maxUint256, startTestChain, type TestChain } from '../testChain.js'
import { deployMarket, type Market, usdc } from './market.js'

/** Has a key, and never sends anything. */
const owner = privateKeyToAccount(pad(toHex(0x123), { size: 32 }))
const somebody = privateKeyToAccount(pad(toHex(0x456), { size: 32 }))
const orderOfCurve = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const late = 4_102_444_800n
const types = {
  Authorization: [
    { name: 'owner', type: 'address' },
    { name: 'manager', type: 'address' },
    { name: 'isAllowed', type: 'bool' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint256' },
  ],
} as const
let chain: TestChain
let market: Market
let chainId: number
let snapshot: unknown

interface Permission {
  manager?: Address
  isAllowed?: boolean
  nonce?: bigint
  expiry?: bigint
}
interface Domain {
  name?: string
  version?: string
  chainId?: number
  verifyingContract?: Address
}
type Signed = readonly [Address, Address, boolean, bigint, bigint, number, Hex, Hex]

beforeAll(async () => {
  chain = await startTestChain()
  market = await deployMarket(chain)
  chainId = Number(await chain.request<Hex>('eth_chainId'))
  await market.comet.send('supplyTo', [owner.address, market.usdc.address, usdc('1000')], {
    from: alice,
  })
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

/** The arguments of `allowBySig`, as a wallet signs them for the market. */
async function signed(
  { manager = bob, isAllowed = true, nonce = 0n, expiry = late }: Permission = {},
  domain: Domain = {},
  signer = owner,
): Promise<Signed> {
  const signature = await signer.signTypedData({
    domain: {
      name: 'Compound USDC',
      version: '0',
      chainId,
      verifyingContract: market.comet.address,
      ...domain,
    },
    types,
    primaryType: 'Authorization',
    message: { owner: owner.address, manager, isAllowed, nonce, expiry },
  })
  const { r, s, yParity } = parseSignature(signature)
  return [owner.address, manager, isAllowed, nonce, expiry, 27 + yParity, r, s]
}

const send = (args: Signed) => market.comet.send('allowBySig', args, { from: carol })
const failure = (args: Signed) => market.comet.failure('allowBySig', args, { from: carol })
const nonceOf = (account: Address) => market.comet.read('userNonce', [account])
const withdraw = () =>
  market.comet.failure('withdrawFrom', [owner.address, bob, market.usdc.address, 1n], { from: bob })

test('default: whoever sends it, a manager may act from then on, and no longer once that is signed', async () => {
  expect(await withdraw()).toBe('Unauthorized()')
  const receipt = await send(await signed())
  expect(market.comet.events(receipt)).toEqual([
    {
      eventName: 'Approval',
      args: { owner: owner.address, spender: bob, amount: maxUint256 },
    },
  ])
  expect(await market.comet.read('hasPermission', [owner.address, bob])).toBe(true)
  await market.comet.send('withdrawFrom', [owner.address, bob, market.usdc.address, usdc('1')], {
    from: bob,
  })
  // Who sent it may nothing, and the nonces of others stand where they stood.
  expect(await market.comet.read('hasPermission', [owner.address, carol])).toBe(false)
  expect([await nonceOf(owner.address), await nonceOf(carol)]).toEqual([1n, 0n])

  await send(await signed({ isAllowed: false, nonce: 1n }))
  expect(await withdraw()).toBe('Unauthorized()')
  expect(await nonceOf(owner.address)).toBe(2n)
})

test('error: a second time, and out of order', async () => {
  const [first, second] = [await signed(), await signed({ isAllowed: false, nonce: 1n })]
  expect(await failure(second)).toBe('BadNonce()')
  await send(first)
  expect(await failure(first)).toBe('BadNonce()')
  await send(second)
  expect(await failure(second)).toBe('BadNonce()')
  expect(await failure(first)).toBe('BadNonce()')
})

test('error: from the second of its expiry on', async () => {
  const now = await chain.now()
  expect(await failure(await signed({ expiry: now }))).toBe('SignatureExpired()')
  // The next block is a second on.
  const last = await signed({ expiry: now + 2n })
  await send(last)
  expect(await failure(await signed({ nonce: 1n, expiry: now + 1n }))).toBe('SignatureExpired()')
})

test('error: anything else than what the owner signed, for this market, on this network', async () => {
  const [, , , , , v, r, s] = await signed()
  const altered: Signed[] = [
    [owner.address, carol, true, 0n, late, v, r, s],
    [owner.address, bob, false, 0n, late, v, r, s],
    [owner.address, bob, true, 1n, late, v, r, s],
    [owner.address, bob, true, 0n, late + 1n, v, r, s],
    [alice, bob, true, 0n, late, v, r, s],
    [owner.address, bob, true, 0n, late, v === 27 ? 28 : 27, r, s],
    await signed({}, { verifyingContract: market.rewards.address }),
    await signed({}, { chainId: 1 }),
    await signed({}, { name: 'Compound WETH' }),
    await signed({}, { version: '1' }),
    await signed({}, {}, somebody),
  ]
  for (const args of altered) expect(await failure(args)).toBe('BadSignatory()')
  // No key belongs to the answer that the network gives for what is no signature.
  const none = pad('0x', { size: 32 })
  expect(await failure([zeroAddress, bob, true, 0n, late, 27, none, none])).toBe('BadSignatory()')
  await send(await signed())
})

test('error: the second form of a signature, and a v that is none; the form is looked at first', async () => {
  const [from, manager, isAllowed, nonce, expiry, v, r, s] = await signed({ nonce: 7n, expiry: 1n })
  const mirrored = toHex(orderOfCurve - BigInt(s), { size: 32 })
  const rest = [from, manager, isAllowed, nonce, expiry] as const
  expect(await failure([...rest, v === 27 ? 28 : 27, r, mirrored])).toBe('InvalidValueS()')
  expect(await failure([...rest, 5, r, mirrored])).toBe('InvalidValueS()')
  for (const odd of [0, 1, 26, 29])
    expect(await failure([...rest, odd, r, s])).toBe('InvalidValueV()')
  // Who signed comes next, then the nonce, then the time.
  expect(await failure([alice, manager, isAllowed, nonce, expiry, v, r, s])).toBe('BadSignatory()')
  expect(await failure([...rest, v, r, s])).toBe('BadNonce()')
  expect(await failure(await signed({ expiry: 1n }))).toBe('SignatureExpired()')
})
