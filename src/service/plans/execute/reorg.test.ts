import { expect, test } from 'vitest'
import type { ExecutionRecord } from '../../store/store.js'
import type { ActivityItem } from '../model/activityItem.js'
import { fallenOut } from './reorg.js'

const [deposited, filled, spent] = ['0xd1', '0xf1', '0x51'] as const
const wallet = '0x2222222222222222222222222222222222222222'

/** A plan that has bridged from base to optimism and has spent the funds there. */
const operations = [
  { network: 'base', nonce: '0x01', expiry: 900 },
  { network: 'optimism', nonce: '0x02', expiry: 900, contingent: true },
]
const contexts = [{ action_type: 'BRIDGE' }, { action_type: 'TRANSFER' }]
const mined = { success: true, executed_at: 'then', executed_at_block_number: 5, gas_used: '1' }
const metadata = [
  { ...mined, chain_id: 8453, transaction_hash: deposited, svc_operation_nonce: '0x01' },
  { ...mined, chain_id: 10, transaction_hash: filled, svc_operation_nonce: null },
  { ...mined, chain_id: 10, transaction_hash: spent, svc_operation_nonce: '0x02' },
].map((item, i) => ({ ...item, action_type: ['BRIDGE', 'BRIDGE_MINT', 'TRANSFER'][i] }))

/** The activity's items when the optimism node has only these transactions. Undefined if nothing changed. */
async function itemsAfter(
  there: Partial<Record<string, '0x0' | '0x1'>>,
  of: { status?: string; metadata?: object[] } = {},
  head = 0,
): Promise<readonly ActivityItem[] | undefined> {
  const activity = { activityId: 'act_1', status: 'confirmed', metadata, ...of }
  const request = async (method: string, [hash = '']: string[] = []) => {
    if (method === 'eth_blockNumber') return `0x${head.toString(16)}`
    return there[hash] === undefined ? null : { status: there[hash] }
  }
  const nodes = {
    get: (network: string) => ({ chainId: network === 'base' ? 8453 : 10, rpc: { request } }),
  }
  const parts = { nodes, store: { activity: async () => activity }, clock: { now: () => 0 } }
  const actions = contexts.map((action_context) => ({ action: { action_context } }))
  const plan = { operations, details: { svc_operation_actions: actions } }
  const account = { accountId: 'acc_1', walletAddress: wallet }
  const execution = { account, plan, signature: '0x', activity } as unknown as ExecutionRecord
  const fallen = await fallenOut(
    parts as unknown as Parameters<typeof fallenOut>[0],
    execution,
    'optimism',
  )
  return fallen?.activity.metadata
}

test('default: nothing changes while all transactions are on the chain', async () => {
  expect(await itemsAfter({ [filled]: '0x1', [spent]: '0x1' })).toBeUndefined()
})

test('behavior: transactions that a node has forgotten, in blocks out of reach, have not left the chain', async () => {
  expect(await itemsAfter({}, {}, 1_005)).toBeUndefined()
  const [, fill, transfer] = (await itemsAfter({}, {}, 1_004))!
  expect([fill!.success, transfer!.success]).toEqual([null, null])
})

test('behavior: a fill that left the chain is pending again, without any trace of its transaction', async () => {
  const items = await itemsAfter({ [spent]: '0x1' })
  expect(items).toEqual([
    metadata[0],
    {
      ...metadata[1],
      ...{ success: null, transaction_hash: null, gas_used: null, gas_price: null },
      ...{ executed_at: null, executed_at_block_number: null },
      ...{ reverted_at: null, revert_reason: null, semantic_events: [] },
      updated_at: '1970-01-01T00:00:00Z',
    },
    metadata[2],
  ])
})

test('behavior: an operation that left the chain, or fails there now, is pending again', async () => {
  for (const there of [{ [filled]: '0x1' }, { [filled]: '0x1', [spent]: '0x0' }] as const) {
    const items = await itemsAfter(there)
    expect(items!.slice(0, 2)).toEqual(metadata.slice(0, 2))
    expect(items![2]).toMatchObject({ success: null, transaction_hash: null, executed_at: null })
  }
})

test('behavior: an operation that had failed on the chain stays failed', async () => {
  const failed = [...metadata.slice(0, 2), { ...metadata[2], success: false }]
  const of = { status: 'failed', metadata: failed }
  expect(await itemsAfter({ [filled]: '0x1', [spent]: '0x0' }, of)).toBeUndefined()
})
