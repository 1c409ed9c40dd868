import type { Address, Hex } from 'viem'
import { addressOf, type Deposit, depositsIn } from '../../bridge/deposit.js'
import { fillReceipt } from '../../bridge/outcome.js'
import type { BridgeRelayer } from '../../bridge/relayer.js'
import { actors } from '../../chain/deployments/actors.js'
import type { AddressBook } from '../../chain/deployments/addressBook.js'
import type { NetworkName } from '../../chain/deployments/networks.js'
import type { Node, Nodes, Receipt } from '../../chain/node/node.js'
import { NotMinedError, receiptOfPooled } from '../../chain/node/pool.js'
import { sendForReceipt } from '../../chain/node/send.js'
import { encodeExecution } from '../../chain/wallet/digest.js'
import { note } from '../../lib/requestContext.js'
import type {
  AccountRecord,
  ActivityRecord,
  OperationRecord,
  PlanRecord,
  Store,
} from '../../store/store.js'
import { inParallel } from '../../time/backgroundTasks.js'
import type { Clock } from '../../time/clock.js'
import { whenWritable } from '../../time/whenWritable.js'
import { contextsOf, operationDigests } from '../build/details.js'
import type { OperationItem } from '../model/activityItem.js'
import type { PlanKind } from '../model/kind.js'
import { confirmedItem, failedItem, type ListedOperation, pendingItem } from './activityItems.js'
import { type ActivityLog, createActivityLog } from './activityLog.js'
import { noteMined } from './minedNote.js'
import { landedReceipt } from './operationReceipt.js'
import { type BridgeSeen, receivedItem } from './receivedItems.js'
import { refundedItem } from './refundItem.js'

/** A transaction that runs all operations of a plan on one network. */
export interface Submission {
  network: NetworkName
  /** Waits until the plan's bridges have delivered. */
  contingent: boolean
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
    const contingent = operations.some((op) => op.contingent)
    return { network, contingent, operations, call: { from: actors.relayer, to, data } }
  })
}

/** What carrying out a consumed plan takes. */
export interface RelayParts {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  store: Store
  bridge: BridgeRelayer
}

/** What sending a plan's transaction may look at and tell. */
export interface Sending {
  /** The activity that tells of the execution. */
  activityId: string
  /** Aborted to interrupt: then it is to reject soon; whoever resumes finds out whether the transaction has landed. */
  signal: AbortSignal
  /** To be told, when the transaction may wait for long, under which hash it waits. */
  submitted(hash: Hex): Promise<void>
}

/** Sends one transaction of a plan; resolves to its receipt once it is mined, reverted or not. */
export type SendPlan = (node: Node, submission: Submission, sending: Sending) => Promise<Receipt>

/** The usual way: from the relayer's account, at once; but what begins with it lets bridges and what waited for them go first. */
export const sendPlan: SendPlan = (node, { call, contingent }, { signal }) =>
  sendForReceipt(node, { ...call, canWait: !contingent }, signal)

/** A consumed plan on its way. */
export interface Execution {
  account: AccountRecord
  plan: PlanRecord
  kind: PlanKind
  submissions: readonly Submission[]
  /** The activity as the store has it. */
  pending: ActivityRecord
  send: SendPlan
  /** Goes on from records: what landed before is looked up instead of sent again. */
  resumed: boolean
  /** Aborted to interrupt: what is being sent is finished, the rest is left to whoever resumes; the activity stays pending. */
  signal: AbortSignal
}

/** How following an execution ended: with its activity, or between two of its steps. */
export type ExecutionEnd = 'confirmed' | 'failed' | 'interrupted'

/**
 * Sends the transactions of a consumed plan and follows them to the end: first those that can run at once and the bridges
 * that they begin, side by side; then, when all bridges have delivered, the others. The activity becomes `confirmed` when the
 * last one has succeeded. When one reverts, cannot be sent, or is not delivered, it becomes `failed` as soon as every bridge
 * that was begun has ended; what waited is marked as not run. Never rejects because of the chain.
 *
 * It can be interrupted between any two steps and begun again with `resumed`: the chains tell how far it came.
 */
export async function relay(parts: RelayParts, execution: Execution): Promise<ExecutionEnd> {
  const record = createActivityLog(parts, execution)
  const { submissions } = execution
  const contingent = submissions.filter((submission) => submission.contingent)
  const immediate = submissions.filter((submission) => !submission.contingent)
  const sourced = await inParallel(
    immediate.map((each) => () => source(parts, execution, each, record)),
  )
  if (sourced.includes('interrupted')) return 'interrupted'
  if (sourced.includes('failed')) return failed(record)
  for (const submission of contingent) {
    const result = await submit(parts, execution, submission, record)
    if (result === 'interrupted') return 'interrupted'
    if (result === 'failed') return failed(record)
  }
  await record.confirm()
  return 'confirmed'
}

async function failed(record: ActivityLog): Promise<'failed'> {
  await record.fail()
  return 'failed'
}

/** Sends one transaction that can run at once, and follows the bridges that it begins. */
async function source(
  parts: RelayParts,
  execution: Execution,
  submission: Submission,
  record: ActivityLog,
): Promise<'done' | 'failed' | 'interrupted'> {
  const receipt = await submit(parts, execution, submission, record)
  if (typeof receipt !== 'object') {
    // Others may go on for long.
    if (receipt === 'failed' && execution.submissions.length > 1) await record.update()
    return receipt
  }
  const deposits = depositsIn(receipt.logs, submission.network, parts.book)
  if (deposits.length === 0) return 'done'
  for (const deposit of deposits)
    record.external(receivedItem(bridgeSeen(parts, execution, deposit), parts.book))
  await record.update()
  const delivered = await inParallel(
    deposits.map((deposit) => () => receive(parts, execution, deposit, record)),
  )
  if (delivered.includes('interrupted')) return 'interrupted'
  await record.update()
  return delivered.includes('failed') ? 'failed' : 'done'
}

/** Sends one transaction, unless it has landed before, and notes what became of its operations. */
async function submit(
  { clock, nodes, book }: RelayParts,
  { account, plan, kind, pending: { activityId }, resumed, signal, send }: Execution,
  submission: Submission,
  record: ActivityLog,
): Promise<Receipt | 'failed' | 'interrupted'> {
  if (signal.aborted) return 'interrupted'
  const { network, operations, call } = submission
  // A reverted transaction leaves no trace that `landedReceipt` would find; it must not be sent again.
  if (record.hasFailed(operations[0]!.nonce)) return 'failed'
  const node = nodes.get(network)
  const contexts = contextsOf(plan)
  const fill = (make: (item: ListedOperation) => OperationItem) => {
    for (const operation of operations)
      record.set(
        operation.nonce,
        make({
          operation,
          context: contexts[plan.operations.indexOf(operation)]!,
          wallet: account.walletAddress,
          nowMs: clock.now(),
        }),
      )
  }
  const about = { type: 'transaction', activity_id: activityId, network } as const
  const submitted = (transaction_hash: Hex): Promise<void> => {
    fill((item) => ({ ...pendingItem(item), transaction_hash }))
    note({ ...about, status: 'sent', hash: transaction_hash })
    return record.update()
  }
  try {
    const landed = resumed
      ? await landedReceipt(node, account.walletAddress, operations[0]!.nonce)
      : undefined
    const waiting = resumed && !landed ? await receiptOfPooled(node, call, signal) : undefined
    const sending = { activityId, signal, submitted }
    const sent = () => send(node, submission, sending)
    const receipt = landed ?? waiting ?? (await whenWritable(sent, signal))
    const revert = await noteMined(node, { activityId, operations }, receipt)
    if (!revert) {
      fill((item) => confirmedItem(item, receipt, kind, book))
      return receipt
    }
    fill((item) => failedItem(item, revert, receipt))
  } catch (error) {
    if (signal.aborted) return 'interrupted'
    const { message } = error as Error
    const reason =
      error instanceof NotMinedError ? message : `the transaction could not be sent: ${message}`
    fill((item) => failedItem(item, { reason, signature: null, values: null }))
    note({ ...about, status: 'not mined', operations, reason })
  }
  return 'failed'
}

/** Waits for a bridge to deliver and notes the fill. */
async function receive(
  parts: RelayParts,
  execution: Execution,
  deposit: Deposit,
  record: ActivityLog,
): Promise<'filled' | 'failed' | 'interrupted'> {
  const { bridge, book, nodes } = parts
  const { activityId } = execution.pending
  if (execution.signal.aborted) return 'interrupted'
  const landed = execution.resumed ? await fillReceipt({ nodes, book }, deposit) : undefined
  const outcome = landed
    ? { status: 'filled' as const, receipt: landed }
    : await bridge.outcome(deposit)
  if (outcome.status === 'interrupted') return 'interrupted'
  const { inputAmount, outputAmount, depositId } = deposit.relayData
  note({
    type: 'bridge',
    activity_id: activityId,
    from: deposit.from,
    to: deposit.to,
    deposit_id: depositId.toString(),
    input_amount: inputAmount.toString(),
    output_amount: outputAmount.toString(),
    ...(outcome.status === 'filled'
      ? { status: outcome.status, hash: outcome.receipt.transactionHash }
      : { status: outcome.status, reason: outcome.reason }),
  })
  const seen = bridgeSeen(parts, execution, deposit)
  record.external(receivedItem({ ...seen, outcome }, book))
  const refund = outcome.status === 'failed' ? outcome.refund : undefined
  if (refund) record.external(refundedItem({ ...seen, refund }, book))
  return outcome.status
}

/** What the items about a deposit are made from; the price is the plan's. */
function bridgeSeen(
  { clock, book }: RelayParts,
  { account, plan }: Execution,
  deposit: Deposit,
): BridgeSeen {
  const source = book.on(deposit.from).chainId.toString()
  const token = addressOf(deposit.relayData.inputToken)
  const context = contextsOf(plan)
    .filter((each) => each.action_type === 'BRIDGE')
    .find((each) => each.chain_id === source && each.token === token)
  const price = context?.price ?? '0'
  return { deposit, wallet: account.walletAddress, price, nowMs: clock.now() }
}
