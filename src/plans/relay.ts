import type { Address, Hex } from 'viem'
import { type Deposit, depositsIn } from '../bridge/deposit.js'
import { fillReceipt } from '../bridge/ended.js'
import type { BridgeRelayer } from '../bridge/relayer.js'
import { actors } from '../chain/actors.js'
import type { AddressBook } from '../chain/addressBook.js'
import { encodeExecution } from '../chain/digest.js'
import type { NetworkName } from '../chain/networks.js'
import type { Node, Nodes, Receipt } from '../chain/node.js'
import { NotMinedError, receiptOfPooled } from '../chain/pool.js'
import { decodeRevert } from '../chain/revert.js'
import { revertDataOf, sendForReceipt } from '../chain/send.js'
import type { Clock } from '../clock.js'
import { note } from '../context.js'
import type {
  AccountRecord,
  ActivityRecord,
  OperationRecord,
  PlanRecord,
  Store,
} from '../store/store.js'
import { inParallel } from '../work.js'
import { confirmedItem, failedItem, pendingItem, receivedItem } from './activity.js'
import { operationDigests } from './details.js'
import type { ActionContext, PlanKind } from './kind.js'
import { landedReceipt } from './landed.js'
import { refundedItem } from './refunded.js'

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
  /** Aborted to interrupt: then it is to reject soon; whoever resumes finds out whether the transaction has landed. */
  stop: AbortSignal
  /** To be told, when the transaction may wait for long, under which hash it waits. */
  submitted(hash: Hex): Promise<void>
}

/** Sends one transaction of a plan; resolves to its receipt once it is mined, reverted or not. */
export type SendPlan = (node: Node, submission: Submission, sending: Sending) => Promise<Receipt>

/** The usual way: from the relayer's account, at once. */
export const sendPlan: SendPlan = (node, { call }, { stop }) => sendForReceipt(node, call, stop)

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
  stop: AbortSignal
}

/**
 * Sends the transactions of a consumed plan and follows them to the end: first those that can run at once, side by side;
 * then, when their bridges have delivered, the others. The activity becomes `confirmed` when the last one has succeeded and
 * `failed` as soon as one reverts, cannot be sent, or is not delivered. Never rejects because of the chain.
 *
 * It can be interrupted between any two steps and begun again with `resumed`: the chains tell how far it came.
 */
export async function relay(parts: RelayParts, execution: Execution): Promise<void> {
  const record = activityRecord(parts, execution)
  const { submissions } = execution
  const contingent = submissions.filter((submission) => submission.contingent)
  const immediate = submissions.filter((submission) => !submission.contingent)
  const sent = await inParallel(
    immediate.map((each) => () => submit(parts, execution, each, record)),
  )
  const receipts = sent.filter((result) => typeof result === 'object')
  if (sent.includes('interrupted')) return
  if (receipts.length < sent.length) return record.finish('failed')
  if (contingent.length === 0) return record.finish('confirmed')
  await record.update()

  const deposits = receipts.flatMap((receipt, i) =>
    depositsIn(receipt.logs, immediate[i]!.network, parts.book),
  )
  const delivered = await inParallel(
    deposits.map((deposit) => () => receive(parts, execution, deposit, record)),
  )
  if (delivered.includes('interrupted')) return
  if (delivered.includes('failed')) return record.finish('failed')
  await record.update()
  for (const submission of contingent) {
    const result = await submit(parts, execution, submission, record)
    if (result === 'interrupted') return
    if (result === 'failed') return record.finish('failed')
  }
  return record.finish('confirmed')
}

/** The activity's metadata as it grows: its operations in order, and the fills before what waited for them. */
function activityRecord({ clock, store }: RelayParts, { plan, pending }: Execution) {
  const items = new Map(pending.metadata.map((item) => [item.svc_operation_nonce as Hex, item]))
  const fills: ActivityRecord['metadata'] = []
  const metadata = (): ActivityRecord['metadata'] => {
    const of = (contingent: boolean) =>
      plan.operations
        .filter((op) => (op.contingent ?? false) === contingent)
        .map((op) => items.get(op.nonce)!)
    return [...of(false), ...fills, ...of(true)]
  }
  const write = (status: ActivityRecord['status']): Promise<void> =>
    store.updateActivity({
      ...pending,
      status,
      metadata: metadata(),
      updatedAtMs: clock.now(),
    })
  return {
    /** What was noted before an interruption stays as it was. */
    set(nonce: Hex, item: Record<string, unknown>) {
      if (items.get(nonce)?.success !== true) items.set(nonce, item)
    },
    filled: (item: Record<string, unknown>) => fills.push(item),
    /** Nothing is written, and no event sent, when all of it was known before an interruption. */
    async update() {
      if (JSON.stringify(metadata()) !== JSON.stringify(pending.metadata)) await write('pending')
    },
    finish: (status: 'confirmed' | 'failed') => write(status),
  }
}

type GrowingRecord = ReturnType<typeof activityRecord>

/** Sends one transaction, unless it has landed before, and notes what became of its operations. */
async function submit(
  { clock, nodes, book }: RelayParts,
  { account, plan, kind, pending: { activityId }, resumed, stop, send }: Execution,
  submission: Submission,
  record: GrowingRecord,
): Promise<Receipt | 'failed' | 'interrupted'> {
  if (stop.aborted) return 'interrupted'
  const { network, operations, call } = submission
  const node = nodes.get(network)
  const contexts = contextsOf(plan)
  const fill = (make: (item: Parameters<typeof failedItem>[0]) => Record<string, unknown>) => {
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
    const waiting = resumed && !landed ? await receiptOfPooled(node, call, stop) : undefined
    const receipt = landed ?? waiting ?? (await send(node, submission, { stop, submitted }))
    if (receipt.status === '0x1') {
      fill((item) => confirmedItem(item, receipt, kind, book))
      note({ ...about, ...minedFacts(receipt), status: 'mined', operations, logs: receipt.logs })
      return receipt
    }
    const revert = decodeRevert(await revertDataOf(node, receipt))
    fill((item) => failedItem(item, revert, receipt))
    note({
      ...about,
      ...minedFacts(receipt),
      status: 'reverted',
      operations,
      reason: revert.reason,
    })
  } catch (error) {
    if (stop.aborted) return 'interrupted'
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
  { clock, bridge, book, nodes }: RelayParts,
  { account, plan, pending: { activityId }, resumed, stop }: Execution,
  deposit: Deposit,
  record: GrowingRecord,
): Promise<'filled' | 'failed' | 'interrupted'> {
  if (stop.aborted) return 'interrupted'
  const landed = resumed ? await fillReceipt({ nodes, book }, deposit) : undefined
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
    status: outcome.status,
    ...(outcome.status === 'filled'
      ? { hash: outcome.receipt.transactionHash }
      : { reason: outcome.reason }),
  })
  const prices = contextsOf(plan)
    .filter((context) => context.action_type === 'BRIDGE')
    .map((context) => [context.chain_id, context.price as string] as const)
  const price = new Map(prices).get(book.on(deposit.from).chainId.toString()) ?? '0'
  const seen = { deposit, wallet: account.walletAddress, price, nowMs: clock.now() }
  record.filled(receivedItem({ ...seen, outcome }, book))
  const refund = outcome.status === 'failed' ? outcome.refund : undefined
  if (refund) record.filled(refundedItem({ ...seen, refund }, book))
  return outcome.status
}

function minedFacts({ transactionHash, blockNumber, gasUsed }: Receipt) {
  const [block, gas_used] = [Number(blockNumber), BigInt(gasUsed).toString()]
  return { hash: transactionHash, block, gas_used }
}

/** The action contexts of a stored plan, in the order of its operations. */
export function contextsOf(plan: PlanRecord): ActionContext[] {
  const details = plan.details as {
    svc_operation_actions: { action: { action_context: ActionContext } }[]
  }
  return details.svc_operation_actions.map((item) => item.action.action_context)
}
