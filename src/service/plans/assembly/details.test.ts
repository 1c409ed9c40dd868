import { expect, test } from 'vitest'
import { multiDigest, operationDigest } from '../../../chain/wallet/wallet.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { operationDigests, planDetails, planDigest } from './details.js'
import type { PlannedOperation } from './planner.js'

const wallet = '0x2222222222222222222222222222222222222222'
const script = '0x3333333333333333333333333333333333333333'

function planned(
  network: NetworkName,
  context: PlannedOperation['context'],
  contingent = false,
): PlannedOperation {
  const operation = {
    network,
    nonce: `0x${context.action_type.length.toString(16).padStart(64, '0')}` as const,
    isReplayable: false,
    scriptAddress: script,
    scriptSources: [],
    scriptCalldata: '0x1234',
    expiry: 1_767_603_600,
    ...(contingent ? { contingent } : {}),
  } as PlannedOperation['operation']
  return { operation, context }
}

const usdc = { asset_symbol: 'USDC', price: '100000000', token: wallet } as const
const transfer = planned('base', {
  action_type: 'TRANSFER',
  chain_id: '8453',
  amount: '5',
  recipient: wallet,
  ...usdc,
})

const wrapOn = (network: NetworkName, chain_id: string) =>
  planned(network, {
    action_type: 'WRAP',
    chain_id,
    amount: '1',
    asset_symbol: 'ETH',
    from_asset_symbol: 'ETH',
    to_asset_symbol: 'WETH',
    token: wallet,
  })

function bridge(network: NetworkName, chainId: string, input: string, output: string) {
  return planned(network, {
    action_type: 'BRIDGE',
    chain_id: chainId,
    amount: input,
    ...usdc,
    bridge_type: 'ACROSS',
    destination_chain_id: '8453',
    destination_asset_symbol: 'USDC',
    input_amount: input,
    output_amount: output,
    recipient: wallet,
  })
}

const detailsOf = (operations: PlannedOperation[], digestOnly = false) =>
  planDetails(operations, {
    wallet,
    digest: planDigest(
      operations.map(({ operation }) => operation),
      wallet,
    ),
    digestOnly,
    book: loadAddressBook(),
  }) as {
    svc_operation_actions: unknown[]
    steps: {
      type: string
      chain_id: string
      operation_index?: number
      depends_on: number[]
      expected_actions: unknown[]
    }[]
    eip712_data: Record<string, string>
  }

test('default: an operation with its action, numbers as strings', () => {
  const { svc_operation_actions } = detailsOf([transfer])
  expect(svc_operation_actions).toEqual([
    {
      operation: {
        nonce: transfer.operation.nonce,
        is_replayable: false,
        script_address: script,
        script_sources: [],
        script_calldata: '0x1234',
        expiry: '1767603600',
      },
      action: {
        chain_id: '8453',
        svc_account: wallet,
        action_type: 'TRANSFER',
        action_context: transfer.context,
        nonce_secret: transfer.operation.nonce,
        total_plays: '1',
        execution_type: 'IMMEDIATE',
      },
    },
  ])
})

test('behavior: one operation is signed by itself, several by the list of their digests', () => {
  const second = wrapOn('polygon', '137')
  expect(planDigest([transfer.operation], wallet)).toEqual(
    operationDigest(transfer.operation, 8453, wallet),
  )
  const both = [transfer.operation, second.operation]
  expect(operationDigests(both, wallet)).toEqual([
    operationDigest(transfer.operation, 8453, wallet).digest,
    operationDigest(second.operation, 137, wallet).digest,
  ])
  expect(planDigest(both, wallet)).toEqual(multiDigest(operationDigests(both, wallet)))
})

test('behavior: the signing data is whole, or the digest only', () => {
  expect(Object.keys(detailsOf([transfer]).eip712_data)).toEqual([
    'digest',
    'domain_separator',
    'hash_struct',
  ])
  const only = detailsOf([transfer], true).eip712_data
  expect(only).toEqual({ digest: detailsOf([transfer]).eip712_data.digest })
})

test('behavior: a bridge is followed by its arrival, and what waits depends on all arrivals of its network and on what runs there before it', () => {
  const supply = planned(
    'base',
    { action_type: 'COMET_SUPPLY', chain_id: '8453', amount: '995', comet: wallet, ...usdc },
    true,
  )
  const wrap = wrapOn('mainnet', '1')
  const operations = [
    wrap,
    bridge('mainnet', '1', '1000', '990'),
    bridge('polygon', '137', '7', '5'),
    supply,
    supply,
  ]
  const { steps, svc_operation_actions } = detailsOf(operations)
  expect(
    steps.map(({ type, chain_id, operation_index, depends_on }) => [
      type,
      chain_id,
      operation_index,
      depends_on,
    ]),
  ).toEqual([
    ['svc_operation', '1', 0, []],
    ['svc_operation', '1', 1, [0]],
    ['exogenous', '8453', undefined, [1]],
    ['svc_operation', '137', 2, []],
    ['exogenous', '8453', undefined, [3]],
    ['svc_operation', '8453', 3, [2, 4]],
    ['svc_operation', '8453', 4, [2, 4, 5]],
  ])
  expect(steps[2]!.expected_actions).toEqual([
    {
      action_type: 'BRIDGE_MINT',
      action_context: {
        asset_symbol: 'USDC',
        bridge_type: 'ACROSS',
        chain_id: '8453',
        input_amount: '1000',
        max_fee: '10',
        output_amount: '990',
        recipient: wallet,
        source_chain_id: '1',
        token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      },
    },
  ])
  expect(svc_operation_actions.at(-1)).toMatchObject({ action: { execution_type: 'CONTINGENT' } })
})

test('behavior: the context of a step does not repeat its action type', () => {
  const [step] = detailsOf([transfer]).steps
  const { action_type, ...action_context } = transfer.context
  expect(step!.expected_actions).toEqual([{ action_type, action_context }])
})
