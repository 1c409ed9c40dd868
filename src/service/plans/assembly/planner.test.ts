import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import { expect, test } from 'vitest'
import type { CometState } from '../../../chain/state/marketReads.js'
import { type NetworkState, noncesPerSecret } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networks } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { OperationRecord } from '../../store/store.js'
import { earn } from '../kinds/earn.js'
import { transfer } from '../kinds/transfer.js'
import type { PlanInput, PlanKind } from '../model/kind.js'
import { nonceSecret, operationNonce, planOperations, sameOperations } from './planner.js'
import { MissingNetworkState } from './resolve.js'

const wallet = '0x2222222222222222222222222222222222222222'
const friend = '0x00000000000000000000000000000000000f41e7'
const book = loadAddressBook()
const issuedAt = 1_767_603_600

/** A world of snapshots with these balances; every price is one dollar. */
function worldOf(
  balances: Partial<Record<NetworkName, Record<string, bigint>>>,
  nonceCount = 0,
): PlanInput {
  const states = Object.entries(balances).map(([name, held]): [NetworkName, NetworkState] => {
    const network = name as NetworkName
    const { tokens, comets } = book.on(network)
    const state = {
      network,
      blockNumber: 1n,
      timestamp: BigInt(issuedAt),
      nonceCount,
      balances: new Map(Object.entries(held)),
      prices: new Map(tokens.map((token) => [token.symbol, 100_000_000n])),
      comets: comets.map((market) => ({ market, supplied: 0n }) as CometState),
      morphoMarkets: [],
      aaveReserves: [],
      vaults: [],
      isDeployed: false,
    }
    return [network, state as NetworkState]
  })
  return {
    book,
    scripts: svcAddresses.scripts,
    wallet,
    states: new Map(states),
    quotes: [],
    rewards: [],
  }
}

const sendUsdc = (amount: bigint) => ({ asset: 'usdc', amount, network: 'base', recipient: friend })

test('default: one operation, valid for 900 seconds, with the nonce of the wallet’s count', () => {
  const input = worldOf({ base: { USDC: 5n } })
  const { planned } = planOperations(transfer, sendUsdc(5n), input)
  expect(planned.map(({ operation }) => operation)).toMatchObject([
    {
      network: 'base',
      nonce: nonceSecret(8453, wallet, 0),
      expiry: issuedAt + 900,
      isReplayable: false,
    },
  ])
  expect(planned[0]!.context).toMatchObject({
    action_type: 'TRANSFER',
    asset_symbol: 'USDC',
    amount: '5',
  })
})

test('behavior: building is pure: equal inputs, equal operations; another count or balance, others', () => {
  const build = (count: number, amount = 5n) =>
    planOperations(transfer, sendUsdc(amount), worldOf({ base: { USDC: 5n } }, count)).planned.map(
      ({ operation }) => operation,
    )
  expect(sameOperations(build(0), build(0))).toBe(true)
  expect(sameOperations(build(0), build(1))).toBe(false)
  expect(sameOperations(build(0), build(0, 4n))).toBe(false)
})

test('behavior: several operations of a network have nonces that follow from one another', () => {
  const input = worldOf({ polygon: { POL: 10n } })
  const intent = { asset: 'WPOL', amount: 10n, network: 'polygon', recipient: friend }
  const { planned } = planOperations(transfer, intent, input)
  expect(planned.map(({ context }) => context.action_type)).toEqual(['WRAP', 'TRANSFER'])
  const secret = nonceSecret(137, wallet, 0)
  expect(planned.map(({ operation }) => operation.nonce)).toEqual([
    operationNonce(secret, 0),
    operationNonce(secret, 1),
  ])
})

test('behavior: a shortfall asks for the other networks before it is called one', () => {
  const alone = worldOf({ base: { USDC: 5n } })
  expect(() => planOperations(transfer, sendUsdc(6n), alone)).toThrow(MissingNetworkState)
  const all = worldOf({ mainnet: {}, base: { USDC: 5n }, arbitrum: {}, optimism: {}, polygon: {} })
  expect(() => planOperations(transfer, sendUsdc(6n), all)).toThrow(
    'insufficient resources of USDC on base: target 6, max 5',
  )
})

test('error: a protocol without a market', () => {
  const input = worldOf({ base: { COMP: 10n } })
  const intent = { asset: 'COMP', amount: 1n, network: 'base', protocol: 'compound' }
  expect(() => planOperations(earn, intent, input)).toThrow(/market not found/)
})

test('behavior: operations differ in any of their parts, and in their number', () => {
  const input = worldOf({ base: { USDC: 5n } })
  const [one] = planOperations(transfer, sendUsdc(5n), input).planned.map((each) => each.operation)
  expect(one!.scriptSources).toEqual([])
  const changes: Partial<OperationRecord>[] = [
    { network: 'polygon' },
    { nonce: `0x${'11'.repeat(32)}` },
    { scriptAddress: friend },
    { scriptCalldata: '0x' },
    { expiry: one!.expiry + 1 },
    { contingent: true },
  ]
  for (const change of changes)
    expect(sameOperations([one!, one!], [one!, { ...one!, ...change }])).toBe(false)
  expect(sameOperations([one!], [one!, one!])).toBe(false)
  expect(sameOperations([one!, one!], [one!])).toBe(false)
  expect(sameOperations([one!], [{ ...one! }])).toBe(true)
})

test('error: more operations on one network than its nonces are for', () => {
  const input = worldOf({ base: { USDC: 5n } })
  const { actions } = transfer.build(sendUsdc(1n), input)
  const many = (count: number): PlanKind => ({
    ...transfer,
    build: () => ({ network: 'base', spends: [], actions: Array(count).fill(actions[0]) }),
  })
  expect(planOperations(many(noncesPerSecret), {}, input).planned).toHaveLength(noncesPerSecret)
  expect(() => planOperations(many(noncesPerSecret + 1), {}, input)).toThrow(
    expect.objectContaining({
      code: 'plan_failed',
      message: `the plan takes more than ${noncesPerSecret} operations on base; ask for less at once`,
    }),
  )
})

const other = '0xAbCdEf0000000000000000000000000000000001'

test('default: 32 bytes that depend on chain, wallet and count', () => {
  const all = networks.flatMap(({ chainId }) =>
    [wallet, other].flatMap((of) =>
      [0, 1, 10, 11, 255, 256, 257].map((n) => nonceSecret(chainId, of as typeof wallet, n)),
    ),
  )
  expect(new Set(all).size).toBe(all.length)
  for (const nonce of all) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
})

test('behavior: the casing of the wallet does not matter', () => {
  expect(nonceSecret(1, other, 3)).toBe(nonceSecret(1, other.toLowerCase() as typeof other, 3))
})

test('behavior: further operations have the hashes of the secret, with its last byte', () => {
  const secret = nonceSecret(1, wallet, 7)
  const hash = keccak256(`${secret.slice(0, -2)}00` as Hex)
  expect(operationNonce(secret, 0)).toBe(secret)
  expect(operationNonce(secret, 1)).toBe(`${hash.slice(0, -2)}07`)
  expect(operationNonce(secret, 2)).toBe(
    `${keccak256(`${hash.slice(0, -2)}00` as Hex).slice(0, -2)}07`,
  )
})

test.each([0, 1, 2])(
  'behavior: 256 plans in a row share all but the last byte, operation %i',
  (index) => {
    const starts = Array.from({ length: 512 }, (_, count) =>
      operationNonce(nonceSecret(1, wallet, count), index).slice(0, -2),
    )
    expect(new Set(starts.slice(0, 256)).size).toBe(1)
    expect(new Set(starts.slice(256)).size).toBe(1)
    expect(starts[0]).not.toBe(starts[256])
  },
)
