import { type Hex, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  admin,
  alice,
  bob,
  type Contract,
  maxUint256,
  startTestChain,
  type TestChain,
} from '../protocols/testChain.js'

let chain: TestChain
let token: Contract
let wrapped: Contract

beforeAll(async () => {
  chain = await startTestChain()
  token = await chain.deploy('Token', ['USD Coin', 'USDC', 6, admin])
  wrapped = await chain.deploy('WrappedNative', ['Wrapped Ether', 'WETH'])
})
afterAll(() => chain.stop())

test('error: only the minter mints', async () => {
  const failure = await token.failure('mint', [alice, 1n], { from: alice })
  expect(failure).toBe(`NotMinter(${alice}, ${admin})`)
})

test('error: a permit that is late or signed by another is refused', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const late = await signPermit(owner, 1n, 1n)
  expect(await token.failure('permit', late)).toBe('ERC2612ExpiredSignature(1)')

  const other = privateKeyToAccount(generatePrivateKey())
  const [, ...rest] = await signPermit(other, 1n, maxUint256)
  const failure = await token.failure('permit', [owner.address, ...rest])
  expect(failure).toMatch(/^ERC2612InvalidSigner\(0x.*, 0x.*\)$/)
  expect(failure).toContain(owner.address)
})

test('error: the wrapped native token refuses without words, as WETH9', async () => {
  const wordless = 'reverted without a reason'
  expect(await wrapped.failure('withdraw', [1n], { from: bob })).toBe(wordless)
  expect(await wrapped.failure('transfer', [alice, 2n], { from: bob })).toBe(wordless)
  expect(await wrapped.failure('transferFrom', [alice, bob, 3n], { from: bob })).toBe(wordless)
})

test('error: a contract that takes no native tokens cannot unwrap', async () => {
  await chain.setBalance(token.address, 5n)
  await wrapped.send('deposit', [], { from: token.address, value: 5n })
  expect(await wrapped.failure('withdraw', [5n], { from: token.address })).toBe(
    'reverted without a reason',
  )
})

test('default: a token has its name, decimals and what was minted', async () => {
  await token.send('mint', [alice, 1_000_000n])
  expect([
    await token.read('name'),
    await token.read('symbol'),
    await token.read('decimals'),
    await token.read('balanceOf', [alice]),
  ]).toEqual(['USD Coin', 'USDC', 6, 1_000_000n])
})

test('behavior: a permit sets the allowance once', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const args = await signPermit(owner, 77n, maxUint256)
  await token.send('permit', args)
  expect(await token.read('allowance', [owner.address, bob])).toBe(77n)
  expect(await token.failure('permit', args)).toMatch(/^ERC2612InvalidSigner/)
})

test('behavior: wrapping and unwrapping moves native tokens one to one', async () => {
  await chain.setBalance(alice, 100n)
  const before = await wrapped.read('totalSupply')
  const deposit = await wrapped.send('deposit', [], { from: alice, value: 60n })
  expect(wrapped.events(deposit)).toEqual([
    { eventName: 'Deposit', args: { dst: alice, wad: 60n } },
  ])
  expect(await wrapped.read('totalSupply')).toBe(before + 60n)

  const withdrawal = await wrapped.send('withdraw', [25n], { from: alice })
  expect(wrapped.events(withdrawal)).toEqual([
    { eventName: 'Withdrawal', args: { src: alice, wad: 25n } },
  ])
  expect(await wrapped.read('balanceOf', [alice])).toBe(35n)
  expect(await chain.balance(alice)).toBe(65n)
})

test('behavior: sending native tokens wraps them', async () => {
  await chain.setBalance(bob, 9n)
  const call = { from: bob, to: wrapped.address, value: '0x9', gasPrice: '0x0' }
  await chain.request('eth_sendTransactionSync', [call])
  expect(await wrapped.read('balanceOf', [bob])).toBe(9n)
})

test('behavior: an allowance is used up, the largest one is not', async () => {
  await chain.setBalance(alice, 100n)
  await wrapped.send('deposit', [], { from: alice, value: 100n })
  await wrapped.send('approve', [bob, 10n], { from: alice })
  await wrapped.send('transferFrom', [alice, bob, 4n], { from: bob })
  expect(await wrapped.read('allowance', [alice, bob])).toBe(6n)
  await wrapped.send('approve', [bob, maxUint256], { from: alice })
  await wrapped.send('transferFrom', [alice, bob, 4n], { from: bob })
  expect(await wrapped.read('allowance', [alice, bob])).toBe(maxUint256)
})

/** Arguments of `permit(owner, spender = bob, value, deadline, v, r, s)`. */
async function signPermit(
  owner: ReturnType<typeof privateKeyToAccount>,
  value: bigint,
  deadline: bigint,
): Promise<unknown[]> {
  const nonce = await token.read('nonces', [owner.address])
  const chainId = BigInt(await chain.request<Hex>('eth_chainId'))
  const signature = await owner.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId, verifyingContract: token.address },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: owner.address, spender: bob, value, nonce, deadline },
  })
  const { r, s, yParity } = parseSignature(signature)
  return [owner.address, bob, value, deadline, 27 + yParity, r, s]
}
