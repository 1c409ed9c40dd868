import { blankItem, type OperationItem } from '../../src/service/plans/model/activityItem.js'
import type { AccountRecord, ActivityRecord, PlanRecord } from '../../src/service/store/store.js'

/** Records for tests of the store and of what stands on it. Every field can be replaced. */

export const wallet = '0x00000000000000000000000000000000000000aa'

export function anAccount(fields: Partial<AccountRecord> = {}): AccountRecord {
  return {
    accountId: 'acc_one',
    primeId: 'svc_first',
    signerType: 'eoa',
    signerAddress: '0xAbCdEf0000000000000000000000000000000001',
    walletAddress: wallet,
    createdAt: '2025-01-01T00:00:00Z',
    ...fields,
  }
}

export function aPlan(fields: Partial<PlanRecord> = {}): PlanRecord {
  return {
    planId: 'pln_one',
    accountId: 'acc_one',
    kind: 'transfer',
    intent: { amount: '1', asset: 'USDC', network: 'base', recipient: wallet },
    quotes: [],
    details: {
      version: '1.6.0',
      svc_operation_actions: [],
      steps: [],
      eip712_data: { digest: '0x01' },
    },
    operations: [
      {
        network: 'base',
        nonce: '0x01',
        isReplayable: false,
        scriptAddress: wallet,
        scriptSources: [],
        scriptCalldata: '0x',
        expiry: 1_735_689_720,
      },
    ],
    digest: '0x01',
    nonceCounts: { base: 0 },
    createdAtMs: 1_735_689_600_000,
    expiresAtMs: 1_735_689_720_000,
    ...fields,
  }
}

/** A transfer of the plan that is signed and not mined. */
export function anItem(fields: Partial<OperationItem> = {}): OperationItem {
  return {
    ...blankItem,
    activity_record_type: 'unexecuted',
    success: null,
    chain_id: 8453,
    transaction_hash: null,
    svc_wallet_address: wallet,
    svc_operation_nonce: '0xaa',
    action_type: 'TRANSFER',
    action_context: {
      action_type: 'TRANSFER',
      amount: '5',
      asset_symbol: 'USDC',
      chain_id: '8453',
      price: '100000000',
      recipient: wallet,
      token: wallet,
    },
    semantic_events: [],
    updated_at: '2025-01-01T00:00:01Z',
    ...fields,
  }
}

export function anActivity(fields: Partial<ActivityRecord> = {}): ActivityRecord {
  return {
    activityId: 'act_one',
    numbers: { activity: 1, intent: 1, wallet: 1, operation: 1, execution: 1 },
    accountId: 'acc_one',
    planId: 'pln_one',
    intentId: 'qi_one',
    status: 'pending',
    createdAtMs: 1_735_689_601_500,
    updatedAtMs: 1_735_689_601_500,
    metadata: [anItem()],
    ...fields,
  }
}
