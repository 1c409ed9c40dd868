import { encodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { decodeRevert } from './revert.js'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error NotCollateralized()',
  'error NobodyKnowsMe(uint256)',
])
const sender = '0x1111111111111111111111111111111111111111'

test('default: a custom error with its arguments', () => {
  const data = encodeErrorResult({
    abi,
    errorName: 'ERC20InsufficientBalance',
    args: [sender, 1n, 2n],
  })
  expect(decodeRevert(data)).toEqual({
    reason: `ERC20InsufficientBalance(${sender}, 1, 2)`,
    signature: toFunctionSelector('ERC20InsufficientBalance(address,uint256,uint256)'),
    values: [sender, '1', '2'],
  })
})

test('behavior: a custom error without arguments', () => {
  const data = encodeErrorResult({ abi, errorName: 'NotCollateralized' })
  expect(decodeRevert(data)).toMatchObject({ reason: 'NotCollateralized()', values: [] })
})

test('behavior: the text of a require is the reason', () => {
  const data = encodeErrorResult({ abi, errorName: 'Error', args: ['not today'] })
  expect(decodeRevert(data)).toEqual({
    reason: 'not today',
    signature: '0x08c379a0',
    values: ['not today'],
  })
})

test('behavior: the numbers of Aave get their names; other texts of digits do not', () => {
  const reasonOf = (text: string) =>
    decodeRevert(encodeErrorResult({ abi, errorName: 'Error', args: [text] }))
  expect(reasonOf('51')).toMatchObject({ reason: '51 (SUPPLY_CAP_EXCEEDED)', values: ['51'] })
  for (const text of ['1000', '051', '']) expect(reasonOf(text).reason).toBe(text)
})

test('behavior: newer versions of Aave have errors instead of numbers', () => {
  const frozen = parseAbi(['error ReserveFrozen()'])
  expect(decodeRevert(encodeErrorResult({ abi: frozen }))).toMatchObject({
    reason: 'ReserveFrozen()',
  })
})

test('behavior: a panic has its code', () => {
  const data = encodeErrorResult({ abi, errorName: 'Panic', args: [17n] })
  expect(decodeRevert(data)).toMatchObject({ reason: 'Panic(17)', values: ['17'] })
})

test.each([undefined, '0x'] as const)('error: no data (%s) says so', (data) => {
  expect(decodeRevert(data)).toEqual({
    reason: 'reverted without a reason',
    signature: null,
    values: null,
  })
})

test.each([
  ['Aave', '36', '36 (COLLATERAL_CANNOT_COVER_NEW_BORROW)'],
  ['Aave 3.3', '97', '97 (LIQUIDATION_GRACE_SENTINEL_CHECK_FAILED)'],
  ['Uniswap', 'LOK', 'LOK (the pool is locked: it is being called already, or not initialized)'],
  ['Uniswap', 'STF', 'STF (a transferFrom of the token failed: balance or allowance is too small)'],
  ['Morpho', 'insufficient collateral', 'insufficient collateral'],
  ['FiatToken', 'FiatToken: account is blacklisted', 'FiatToken: account is blacklisted'],
])('behavior: the texts of %s: %s', (_, text, reason) => {
  const data = encodeErrorResult({ abi, errorName: 'Error', args: [text] })
  expect(decodeRevert(data)).toMatchObject({ reason, values: [text] })
})

const id = `0x${'ab'.repeat(32)}` as const

test.each([
  ['Comet', 'TimestampTooLarge()', [], 'TimestampTooLarge()'],
  [
    'Comet rewards',
    'TransferOutFailed(address,uint256)',
    [sender, 7n],
    `TransferOutFailed(${sender}, 7)`,
  ],
  ['MetaMorpho', 'AllCapsReached()', [], 'AllCapsReached()'],
  ['MetaMorpho', 'SupplyCapExceeded(bytes32)', [id], `SupplyCapExceeded(${id})`],
  ['spoke pools', 'DisabledRoute()', [], 'DisabledRoute()'],
  ['spoke pools', 'DepositsArePaused()', [], 'DepositsArePaused()'],
  ['Aave since 3.4', 'CollateralCannotCoverNewBorrow()', [], 'CollateralCannotCoverNewBorrow()'],
  ['Permit2', 'InsufficientAllowance(uint256)', [5n], 'InsufficientAllowance(5)'],
  [
    'vaults',
    'ERC4626ExceededMaxWithdraw(address,uint256,uint256)',
    [sender, 2n, 1n],
    `ERC4626ExceededMaxWithdraw(${sender}, 2, 1)`,
  ],
])('behavior: errors of %s: %s', (_, error, args, reason) => {
  const published = parseAbi([`error ${error}`] as string[])
  const data = encodeErrorResult({ abi: published, args } as never)
  expect(decodeRevert(data)).toEqual({
    ...{ reason, signature: toFunctionSelector(error) },
    values: args.map(String),
  })
})

test('behavior: an error that carries another’s is told with that', () => {
  const inner = encodeErrorResult({ abi, errorName: 'Error', args: ['not today'] })
  const outer = parseAbi(['error LowLevelCallFailed(bytes)'])
  expect(decodeRevert(encodeErrorResult({ abi: outer, args: [inner] }))).toMatchObject({
    reason: 'LowLevelCallFailed(not today)',
    values: [inner],
  })
})

test('error: an unknown error is named by its selector, with its data', () => {
  const data = encodeErrorResult({ abi, errorName: 'NobodyKnowsMe', args: [1n] })
  const signature = toFunctionSelector('NobodyKnowsMe(uint256)')
  expect(decodeRevert(data)).toEqual({
    reason: `unknown error ${signature} with data ${data}`,
    signature,
    values: null,
  })
})

test('error: data that is cut off is not decoded, and does not throw', () => {
  const whole = encodeErrorResult({
    abi,
    errorName: 'ERC20InsufficientBalance',
    args: [sender, 1n, 2n],
  })
  for (const length of [4, 8, 10, 12, whole.length - 2]) {
    const data = whole.slice(0, length) as Hex
    expect(decodeRevert(data), data).toMatchObject({
      reason: expect.stringContaining(`unknown error ${data.slice(0, 10)}`),
      values: null,
    })
  }
})

test('error: of much unknown data the beginning is shown', () => {
  const { reason } = decodeRevert(`0x12345678${'00'.repeat(10_000)}`)
  expect(reason.length).toBeLessThan(330)
  expect(reason).toMatch(/^unknown error 0x12345678 with data 0x1234567800.*…$/)
})
