import type { Hex } from 'viem'
import type { PlanAnswer } from '../../src/service/plans/model/planDetails.js'

/** Example values of the document, made up once so that they agree with each other. */
export const example = {
  accountId: 'acc_7hk20wq9z1ab',
  planId: 'pln_3vd81mz5c0xe',
  activityId: 'act_9z8y7xp4q2rs',
  activityNumber: 41,
  intentId: 'qi_1a2b3c4d5e6f',
  signer: '0x1111111111111111111111111111111111111111',
  wallet: '0x2222222222222222222222222222222222222222',
  script: '0x3333333333333333333333333333333333333333',
  comet: '0xb125e6687d4313864e53df431d5425969c15eb2f',
  vault: '0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca',
  morphoMarket: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
  usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  time: '2026-01-05T09:00:00Z',
  unix: 1767603600,
  word: (digit: string): Hex => `0x${digit.repeat(64)}`,
} as const

export const accountExample = {
  account_id: example.accountId,
  signer_type: 'eoa',
  signer_address: example.signer,
  svc_wallet_address: example.wallet,
  created_at: example.time,
}

const supplyFields = {
  amount: '1000000',
  asset_symbol: 'USDC',
  chain_id: '8453',
  comet: example.comet,
  price: '100000000',
  token: example.usdc,
}
const supplyContext = { action_type: 'COMET_SUPPLY', ...supplyFields } as const
const supplyValues = { ...supplyFields, chain_id: 8453, price: '1' }

/** The answer of an earn plan. */
export const planExample: PlanAnswer = {
  plan_id: example.planId,
  details: {
    version: '1.6.0',
    svc_operation_actions: [
      {
        operation: {
          nonce: example.word('a'),
          is_replayable: false,
          script_address: example.script,
          script_sources: [],
          script_calldata: '0x3e6f66dc',
          expiry: '1767604500',
        },
        action: {
          chain_id: '8453',
          svc_account: example.wallet,
          action_type: 'COMET_SUPPLY',
          action_context: supplyContext,
          nonce_secret: example.word('a'),
          total_plays: '1',
          execution_type: 'IMMEDIATE',
        },
      },
    ],
    steps: [
      {
        type: 'svc_operation',
        chain_id: '8453',
        operation_index: 0,
        expected_actions: [{ action_type: 'COMET_SUPPLY', action_context: supplyFields }],
        depends_on: [],
      },
    ],
    eip712_data: {
      digest: example.word('b'),
      domain_separator: example.word('c'),
      hash_struct: example.word('d'),
    },
  },
  expires_at: '2026-01-05T09:02:00Z',
}

export const activityExample = {
  id: example.activityNumber,
  activity_id: example.activityId,
  account_id: example.accountId,
  plan_id: example.planId,
  svc_intent_id: example.intentId,
  svc_intent: {
    id: 40,
    planner_version: '1.6.0',
    intent_type: 'supply',
    intent: {
      chain_id: 8453,
      asset_symbol: 'USDC',
      token: example.usdc,
      amount: '1000000',
      market_type: 'COMET',
      market: example.comet,
      sender: example.wallet,
      block_timestamp: example.unix,
    },
  },
  activity_type: 'svc_operation_executed',
  activity_status: 'confirmed',
  status: 'completed',
  occurred_at: example.time,
  updated_at: '2026-01-05T09:00:02Z',
  activity_metadata: [
    {
      activity_record_type: 'executed',
      success: true,
      chain_id: 8453,
      transaction_hash: example.word('e'),
      svc_wallet_address: example.wallet,
      svc_wallet_id: 11,
      svc_operation_id: 21,
      svc_execution_id: 31,
      svc_operation_nonce: example.word('a'),
      from: example.signer,
      to: example.wallet,
      action_type: 'COMET_SUPPLY',
      action_context: supplyContext,
      semantic_events: [
        {
          event_type: 'comet_supply_base',
          log_indices: [3],
          event_metadata: {
            comet: example.comet,
            token: example.usdc,
            amount: '1000000',
            dollar_value: '100000000',
          },
        },
      ],
      payment_method: 'sponsored',
      expiry: 1767604500,
      gas_used: '312883',
      gas_price: '1000371',
      gas_overhead: '0',
      gas_estimate: '',
      executed_at: '2026-01-05T09:00:02Z',
      executed_at_block_number: 12,
      reverted_at: null,
      revert_reason: null,
      revert_signature: null,
      revert_values: null,
      updated_at: '2026-01-05T09:00:02Z',
    },
  ],
  executions: [
    {
      execution_type: 'transaction',
      chain_id: 8453,
      transaction_hash: example.word('e'),
      status: 'executed',
      executed_at: '2026-01-05T09:00:02Z',
      reverted_at: null,
      actions: [
        {
          action_type: 'COMET_SUPPLY',
          expected_values: supplyValues,
          observed_values: supplyValues,
        },
      ],
    },
  ],
}
