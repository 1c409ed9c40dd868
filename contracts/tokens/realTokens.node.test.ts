import { type Hex, keccak256, type PrivateKeyAccount, parseSignature, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { concat } from 'viem/utils'
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

/** What each kind of token refuses, and in which words; what is signed for it; where it keeps balances. All from the published sources. */

const zero = `0x${'0'.repeat(40)}` as const
const wordless = 'reverted without a reason'
const words = (text: string) => `Error(${text})`
let chain: TestChain
let usdc: Contract
let usdt: Contract
let dai: Contract
let l2Dai: Contract
let bridged: Contract
let wrapped: Contract

beforeAll(async () => {
  chain = await startTestChain()
  usdc = await chain.deploy('FiatToken', ['USD Coin', 'USDC', 6, admin, 'USD'])
  usdt = await chain.deploy('Tether', ['Tether USD', 'USDT', 6, admin])
  dai = await chain.deploy('Dai', [admin, false])
  l2Dai = await chain.deploy('Dai', [admin, true])
  bridged = await chain.deploy('BridgedToken', ['Tether USD', 'USDT', 6, admin])
  wrapped = await chain.deploy('WrappedNative', ['Wrapped Ether', 'WETH'])
  for (const token of [usdc, usdt, dai, l2Dai, bridged]) await token.send('mint', [alice, 1_000n])
  await chain.setBalance(alice, 10_000n)
  await wrapped.send('deposit', [], { from: alice, value: 1_000n })
})
afterAll(() => chain.stop())

const by = (from: Hex) => ({ from })

/** The word of a mapping's value for an address. */
const slotOf = (account: Hex, variable: bigint) =>
  keccak256(concat([toHex(BigInt(account), { size: 32 }), toHex(variable, { size: 32 })]))

test('default: balances lie where the published sources have them', async () => {
  const places: [Contract, bigint][] = [
    [usdc, 9n],
    [usdt, 2n],
    [dai, 2n],
    [l2Dai, 2n],
    [wrapped, 3n],
    [bridged, 0n],
  ]
  for (const [token, variable] of places) {
    const word = await chain.request<Hex>('eth_getStorageAt', [
      token.address,
      slotOf(alice, variable),
      'latest',
    ])
    expect([variable, BigInt(word)]).toEqual([variable, 1_000n])
  }
})

test('error: what USDC refuses', async () => {
  const refused = (name: string, args: unknown[], from: Hex = alice) =>
    usdc.failure(name, args, by(from))
  const blacklisted = words('Blacklistable: account is blacklisted')
  expect(await refused('transfer', [usdc.address, 1n])).toBe(blacklisted)
  expect(await refused('approve', [usdc.address, 1n])).toBe(blacklisted)
  expect(await refused('transfer', [zero, 1n])).toBe(words('ERC20: transfer to the zero address'))
  const tooMuch = words('ERC20: transfer amount exceeds balance')
  expect(await refused('transfer', [bob, 1_001n])).toBe(tooMuch)
  const unallowed = words('ERC20: transfer amount exceeds allowance')
  expect(await refused('transferFrom', [alice, bob, 1n], bob)).toBe(unallowed)
  expect(await refused('approve', [zero, 1n])).toBe(words('ERC20: approve to the zero address'))
  const below = words('ERC20: decreased allowance below zero')
  expect(await refused('decreaseAllowance', [bob, 1n])).toBe(below)
  expect(await refused('mint', [bob, 1n])).toBe(words('FiatToken: caller is not a minter'))

  await usdc.send('blacklist', [bob])
  expect(await refused('transfer', [bob, 1n])).toBe(blacklisted)
  await usdc.send('unBlacklist', [bob])
  await usdc.send('pause')
  expect(await refused('transfer', [bob, 1n])).toBe(words('Pausable: paused'))
  await usdc.send('unpause')
})

test('behavior: USDC uses up the largest allowance too', async () => {
  await usdc.send('approve', [bob, maxUint256], by(alice))
  await usdc.send('transferFrom', [alice, bob, 1n], by(bob))
  expect(await usdc.read('allowance', [alice, bob])).toBe(maxUint256 - 1n)
  await usdc.send('approve', [bob, 0n], by(alice))
  await usdc.send('transfer', [alice, 1n], by(bob))
})

test('behavior: USDC takes permits under domain version 2, and authorizations once', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  await usdc.send('transfer', [owner.address, 100n], by(alice))
  const domain = { name: 'USD Coin', version: '2' }
  const permit = { owner: owner.address, spender: bob, value: 7n, nonce: 0n, deadline: maxUint256 }
  const signed = await sign(owner, usdc, domain, 'Permit', permit)
  const args = [owner.address, bob, 7n, maxUint256, ...parts(signed)]
  await usdc.send('permit', args)
  expect(await usdc.read('allowance', [owner.address, bob])).toBe(7n)
  expect(await usdc.failure('permit', args)).toBe(words('EIP2612: invalid signature'))
  const expired = [owner.address, bob, 7n, 1n, signed]
  expect(await usdc.failure('permit', expired)).toBe(words('FiatTokenV2: permit is expired'))

  const nonce = toHex(5n, { size: 32 })
  const [from, to] = [owner.address, bob]
  const authorization = { from, to, value: 10n, validAfter: 0n, validBefore: maxUint256, nonce }
  const authorized = await sign(owner, usdc, domain, 'TransferWithAuthorization', authorization)
  const transfer = [from, to, 10n, 0n, maxUint256, nonce]
  await usdc.send('transferWithAuthorization', [...transfer, ...parts(authorized)], by(alice))
  expect(await usdc.read('balanceOf', [bob])).toBe(10n)
  expect(await usdc.read('authorizationState', [from, nonce])).toBe(true)
  const failure = (name: string, given: unknown[]) => usdc.failure(name, given, by(alice))
  expect(await failure('transferWithAuthorization', [...transfer, authorized])).toBe(
    words('FiatTokenV2: authorization is used or canceled'),
  )
  const other = [from, to, 10n, 0n, maxUint256, toHex(6n, { size: 32 }), authorized]
  expect(await failure('transferWithAuthorization', other)).toBe(
    words('FiatTokenV2: invalid signature'),
  )
  expect(await failure('receiveWithAuthorization', other)).toBe(
    words('FiatTokenV2: caller must be the payee'),
  )
  const late = [from, to, 10n, 0n, 1n, nonce, authorized]
  expect(await failure('transferWithAuthorization', late)).toBe(
    words('FiatTokenV2: authorization is expired'),
  )
})

test('error: USDT on Ethereum returns nothing, takes no approval over an approval, and refuses without words', async () => {
  const call = (data: Hex) => chain.request('eth_call', [{ from: alice, to: usdt.address, data }])
  const word = (value: bigint) => toHex(value, { size: 32 }).slice(2)
  expect(await call(`0xa9059cbb${word(BigInt(bob))}${word(1n)}`)).toBe('0x')
  await usdt.send('approve', [bob, 5n], by(alice))
  expect(await usdt.failure('approve', [bob, 6n], by(alice))).toBe(wordless)
  await usdt.send('approve', [bob, 0n], by(alice))
  await usdt.send('approve', [bob, 6n], by(alice))
  await usdt.send('addBlackList', [alice])
  expect(await usdt.failure('transfer', [bob, 1n], by(alice))).toBe(wordless)
  await usdt.send('removeBlackList', [alice])
  await expect(usdt.failure('transfer', [bob, 1_001n], by(alice))).rejects.toThrow(/opcode/i)
})

test('error: DAI names itself in what it refuses; other networks refuse DAI itself and nobody', async () => {
  for (const token of [dai, l2Dai]) {
    expect(await token.failure('transfer', [bob, 1_001n], by(alice))).toBe(
      words('Dai/insufficient-balance'),
    )
    expect(await token.failure('transferFrom', [alice, bob, 1n], by(bob))).toBe(
      words('Dai/insufficient-allowance'),
    )
  }
  await dai.send('transfer', [dai.address, 1n], by(alice))
  for (const recipient of [l2Dai.address, zero])
    expect(await l2Dai.failure('transfer', [recipient, 1n], by(alice))).toBe(
      words('Dai/invalid-address'),
    )
})

test('behavior: DAI’s permit is of all or nothing on Ethereum, and of an amount elsewhere', async () => {
  const holder = privateKeyToAccount(generatePrivateKey())
  const all = { holder: holder.address, spender: bob, nonce: 0n, expiry: 0n, allowed: true }
  const version1 = { name: 'Dai Stablecoin', version: '1' }
  const signed = parts(await sign(holder, dai, version1, 'DaiPermit', all))
  await dai.send('permit', [holder.address, bob, 0n, 0n, true, ...signed])
  expect(await dai.read('allowance', [holder.address, bob])).toBe(maxUint256)
  const some = { owner: holder.address, spender: bob, value: 3n, nonce: 0n, deadline: maxUint256 }
  const version2 = { name: 'Dai Stablecoin', version: '2' }
  const amount = parts(await sign(holder, l2Dai, version2, 'Permit', some))
  await l2Dai.send('permit', [holder.address, bob, 3n, maxUint256, ...amount])
  expect(await l2Dai.read('allowance', [holder.address, bob])).toBe(3n)
})

test('error: bridged tokens refuse in the words of their time', async () => {
  const refused = (name: string, args: unknown[], from: Hex = alice) =>
    bridged.failure(name, args, by(from))
  expect(await refused('transfer', [zero, 1n])).toBe(words('ERC20: transfer to the zero address'))
  const tooMuch = words('ERC20: transfer amount exceeds balance')
  expect(await refused('transfer', [bob, 1_001n])).toBe(tooMuch)
  const unallowed = words('ERC20: insufficient allowance')
  expect(await refused('transferFrom', [alice, bob, 1n], bob)).toBe(unallowed)
  const late = [alice, bob, 1n, 1n, 27, toHex(1n, { size: 32 }), toHex(1n, { size: 32 })]
  expect(await refused('permit', late)).toBe(words('ERC20Permit: expired deadline'))
  late[3] = maxUint256
  expect(await refused('permit', late)).toBe(words('ERC20Permit: invalid signature'))
})

const fields: Record<string, string[]> = {
  Permit: [
    'address owner',
    'address spender',
    'uint256 value',
    'uint256 nonce',
    'uint256 deadline',
  ],
  DaiPermit: [
    'address holder',
    'address spender',
    'uint256 nonce',
    'uint256 expiry',
    'bool allowed',
  ],
  TransferWithAuthorization: [
    ...['address from', 'address to', 'uint256 value', 'uint256 validAfter'],
    ...['uint256 validBefore', 'bytes32 nonce'],
  ],
}

async function sign(
  account: PrivateKeyAccount,
  token: Contract,
  domain: { name: string; version: string },
  kind: string,
  message: Record<string, unknown>,
): Promise<Hex> {
  const chainId = BigInt(await chain.request<Hex>('eth_chainId'))
  const primaryType = kind.replace('Dai', '')
  const typed = fields[kind]!.map((field) => {
    const [type, name] = field.split(' ') as [string, string]
    return { name, type }
  })
  return account.signTypedData({
    domain: { ...domain, chainId, verifyingContract: token.address },
    types: { [primaryType]: typed },
    primaryType,
    message,
  })
}

/** v, r and s. */
function parts(signature: Hex): unknown[] {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s]
}
