import type { Address, Hex } from 'viem'
import { actors } from '../chain/actors.js'
import type { AddressBook } from '../chain/addressBook.js'
import { encodeExecution } from '../chain/digest.js'
import type { NetworkName } from '../chain/networks.js'
import type { Nodes } from '../chain/node.js'
import { decodeRevert } from '../chain/revert.js'
import { revertDataOf, sendForReceipt } from '../chain/send.js'
import type { Clock } from '../clock.js'
import type {
  AccountRecord,
  ActivityRecord,
  OperationRecord,
  PlanRecord,
  Store,
} from '../store/store.js'
import { confirmedItem, failedItem } from './activity.js'
import { operationDigests } from './details.js'
import type { ActionContext, PlanKind } from './kind.js'

/** A transaction that runs all operations of a plan on one network. */
export interface Submission {
  network: NetworkName
  operations: OperationRecord[]
  call: { from: Address; to: Address; data: Hex }
}

/** The transactions of a plan, one per network, in the order of its operations. */
export function submissionsOf(
  account: AccountRecord,
  plan: PlanRecord,
  signature: Hex,
): Submission[] {
  const opDigests =
    plan.operations.length > 1
      ? operationDigests(plan.operations, account.walletAddress)
      : undefined
  const networks = [...new Set(plan.operations.map((op) => op.network))]
  return networks.map((network) => {
    const operations = plan.operations.filter((op) => op.network === network)
    const { to, data } = encodeExecution({
      signer: account.signerAddress.toLowerCase() as Address,
      operations,
      opDigests,
      signature,
    })
    return { network, operations, call: { from: actors.relayer, to, data } }
  })
}

/** What carrying out a consumed plan takes. */
export interface RelayParts {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  store: Store
}

/**
 * Sends the transactions of a consumed plan and follows them to the end: the activity becomes `confirmed` when the last one
 * has succeeded, `failed` as soon as one reverts or cannot be sent. Never rejects because of the chain.
 */
export async function relay(
  parts: RelayParts,
  account: AccountRecord,
  plan: PlanRecord,
  kind: PlanKind,
  submissions: readonly Submission[],
  pending: ActivityRecord,
): Promise<void> {
  let metadata = pending.metadata
  for (const submission of submissions) {
    const outcome = await submit(parts, account, plan, kind, submission)
    metadata = metadata.map((item, i) => outcome.items.get(plan.operations[i]!.nonce) ?? item)
    if (!outcome.confirmed) {
      await finish(parts, pending, 'failed', metadata)
      return
    }
  }
  await finish(parts, pending, 'confirmed', metadata)
}

function finish(
  { clock, store }: RelayParts,
  pending: ActivityRecord,
  status: 'confirmed' | 'failed',
  metadata: ActivityRecord['metadata'],
): Promise<void> {
  return store.updateActivity({ ...pending, status, metadata, updatedAtMs: clock.now() })
}

interface Outcome {
  confirmed: boolean
  /** Metadata by operation nonce. */
  items: Map<Hex, Record<string, unknown>>
}

async function submit(
  { clock, nodes, book }: RelayParts,
  account: AccountRecord,
  plan: PlanRecord,
  kind: PlanKind,
  { network, operations, call }: Submission,
): Promise<Outcome> {
  const node = nodes.get(network)
  const contexts = contextsOf(plan)
  const itemOf = (operation: OperationRecord) => ({
    operation,
    context: contexts[plan.operations.indexOf(operation)]!,
    wallet: account.walletAddress,
    nowMs: clock.now(),
  })
  const each = (make: (operation: OperationRecord) => Record<string, unknown>) =>
    new Map(operations.map((operation) => [operation.nonce, make(operation)]))
  try {
    const receipt = await sendForReceipt(node, call)
    if (receipt.status === '0x1')
      return {
        confirmed: true,
        items: each((op) => confirmedItem(itemOf(op), receipt, kind, book)),
      }
    const revert = decodeRevert(await revertDataOf(node, receipt))
    return { confirmed: false, items: each((op) => failedItem(itemOf(op), revert, receipt)) }
  } catch (error) {
    const reason = `the transaction could not be sent: ${(error as Error).message}`
    const revert = { reason, signature: null, values: null }
    return { confirmed: false, items: each((op) => failedItem(itemOf(op), revert)) }
  }
}

/** The action contexts of a stored plan, in the order of its operations. */
export function contextsOf(plan: PlanRecord): ActionContext[] {
  const details = plan.details as {
    svc_operation_actions: { action: { action_context: ActionContext } }[]
  }
  return details.svc_operation_actions.map((item) => item.action.action_context)
}
