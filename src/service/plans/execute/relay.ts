import type { Address, Hex } from 'viem'
import { encodeEventTopics } from 'viem/utils'
import type { Node, Receipt } from '../../../chain/rpc/node.js'
import {
  NotMinedError,
  pooledHash,
  receiptOf,
  receiptOfLog,
  StoppedError,
  unlessStopped,
} from '../../../chain/transactions/pool.js'
import { decodeRevert, type Revert } from '../../../chain/transactions/revert.js'
import { revertDataOf } from '../../../chain/transactions/send.js'
import { type NetworkName, networks } from '../../../deployments/networks.js'
import { iSvcWalletAbi } from '../../../generated/abis.js'
import { inOrder, inParallel, yieldFor } from '../../../time/backgroundTasks.js'
import { retryUntilWritable } from '../../../time/retryUntilWritable.js'
import { addressOf, type Deposit, depositsIn } from '../../bridge/deposit.js'
import { fillReceipt } from '../../bridge/outcome.js'
import type { FillOutcome } from '../../bridge/relayer.js'
import { touchesOf } from '../../context/changes.js'
import { note } from '../../context/requestContext.js'
import type { OperationRecord } from '../../store/store.js'
import { contextsOf } from '../assembly/details.js'
import type { OperationItem } from '../model/activityItem.js'
import { hasRun } from '../observe/logs.js'
import {
  type ActivityLog,
  confirmedItem,
  createActivityLog,
  failedItem,
  type ListedOperation,
  pendingItem,
} from './activityLog.js'
import { type PlannedBridge, partialFillOf, receivedItem, refundedItem } from './bridgeItems.js'
import type { Execution, RelayParts, Submission, Turn } from './execution.js'
import { hasFallen, takenBack } from './reorg.js'

/** How following an execution ended: with its activity, or between two of its steps. */
export type ExecutionEnd = 'confirmed' | 'failed' | 'interrupted'

/**
 * Sends the transactions of a consumed plan and follows them to the end. First come those that can run at once and the bridges that they
 * begin, each network as soon as the one before has sent or waits; then, when all bridges have delivered, the others. The activity becomes
 * `confirmed` when the last one has succeeded. When one reverts, cannot be sent, or is not delivered, the activity becomes `failed` as
 * soon as every bridge has ended, and waiting operations are marked as not run. Never rejects because of the chain.
 *
 * It can be interrupted between any two steps and resumed with `resumed`: the chains show how far it came.
 */
export async function relay(parts: RelayParts, execution: Execution): Promise<ExecutionEnd> {
  const record = createActivityLog(parts, execution)
  const { submissions } = execution
  const contingent = submissions.filter((submission) => submission.contingent)
  const immediate = submissions.filter((submission) => !submission.contingent)
  let running = immediate.length
  const sourced = await inOrder(
    immediate.map((submission) => async () => {
      const end = await source(parts, execution, submission, record)
      running--
      // Others may take long. The outcome of the last one is written with the activity's next step.
      if (running > 0 && end !== 'interrupted') await record.update()
      return end
    }),
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
  if (typeof receipt !== 'object') return receipt
  const deposits = depositsIn(receipt.logs, submission.network, parts.book)
  if (deposits.length === 0) return 'done'
  record.expect(
    submission.network,
    deposits.map((deposit) => receivedItem(bridgeSeen(parts, execution, deposit), parts.book)),
  )
  await record.update()
  const delivered = await inParallel(
    deposits.map((deposit) => () => receive(parts, execution, deposit, record)),
  )
  if (delivered.includes('interrupted')) {
    // A deposit was removed from its chain: the restart makes it again and looks up the others.
    execution.restart()
    return 'interrupted'
  }
  await record.update()
  return delivered.includes('failed') ? 'failed' : 'done'
}

/** The outcome of a deposit, or `interrupted` when the execution is interrupted first: resuming asks for it again. */
function unlessAborted(outcome: Promise<FillOutcome>, signal: AbortSignal): Promise<FillOutcome> {
  return unlessStopped(outcome, signal).catch((error) => {
    if (error instanceof StoppedError) return { status: 'interrupted' }
    throw error
  })
}

/** Waits for a bridge to deliver, and records the fill. */
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
  if (execution.resumed && !landed) {
    record.lose(receivedItem(bridgeSeen(parts, execution, deposit), book))
    await record.update()
  }
  const outcome = landed
    ? { status: 'filled' as const, receipt: landed }
    : await unlessAborted(bridge.outcome(deposit), execution.signal)
  if (outcome.status === 'interrupted') return 'interrupted'
  // Of the time at which it ended.
  const delivery = bridgeSeen(parts, execution, deposit)
  const received = receivedItem({ ...delivery, outcome }, book)
  const partial = partialFillOf(received, book)
  const { inputAmount, depositId } = deposit.relayData
  const { output_amount } = received.observed_context ?? received.action_context
  note({
    type: 'bridge',
    activity_id: activityId,
    from: deposit.from,
    to: deposit.to,
    deposit_id: depositId.toString(),
    input_amount: inputAmount.toString(),
    output_amount,
    ...(outcome.status === 'filled'
      ? {
          ...(partial ? { status: 'filled in part', partial } : { status: 'filled' }),
          hash: outcome.receipt.transactionHash,
        }
      : {
          status: outcome.status,
          reason: outcome.reason,
          ...(outcome.heldBy && { held_by: outcome.heldBy }),
          ...(outcome.stoppedBy?.length && { stopped_by: outcome.stoppedBy }),
          ...(outcome.refund && { refund: outcome.refund.transactionHash }),
        }),
  })
  record.external(received)
  const refund = outcome.status === 'failed' ? outcome.refund : undefined
  if (refund) record.external(refundedItem({ ...delivery, refund }, book))
  return outcome.status
}

function bridgeSeen(
  { clock, book }: RelayParts,
  { account, plan }: Execution,
  deposit: Deposit,
): PlannedBridge {
  const source = book.on(deposit.from).chainId.toString()
  const token = addressOf(deposit.relayData.inputToken)
  const context = contextsOf(plan)
    .filter((each) => each.action_type === 'BRIDGE')
    .find((each) => each.chain_id === source && each.token === token)
  const price = context?.price ?? '0'
  const arrivesAs = context && { arrivesAs: context.destination_asset_symbol }
  return { deposit, wallet: account.walletAddress, price, nowMs: clock.now(), ...arrivesAs }
}

type Submitted = Receipt | 'failed' | 'interrupted'

/** Sends one transaction in its turn, unless it has landed before, and records the outcome of its operations. */
async function submit(
  parts: RelayParts,
  execution: Execution,
  submission: Submission,
  record: ActivityLog,
): Promise<Submitted> {
  const turn = execution.turns?.get(submission.network)
  try {
    return await submitWhen(turn, parts, execution, submission, record)
  } finally {
    turn?.pass()
  }
}

async function submitWhen(
  turn: Turn | undefined,
  parts: RelayParts,
  execution: Execution,
  submission: Submission,
  record: ActivityLog,
): Promise<Submitted> {
  const { clock, nodes, book } = parts
  const { account, kind, resumed, signal, send } = execution
  const { activityId } = execution.pending
  if (signal.aborted) return 'interrupted'
  const { network, operations, call } = submission
  const node = nodes.get(network)
  // A reverted transaction leaves no trace that `landedReceipt` would find; it must not be sent again.
  const failures = operations.flatMap(({ nonce }) => record.failedItem(nonce) ?? [])
  if (failures.length > 0) {
    if (await hasFallen(node, failures)) {
      for (const item of failures)
        record.set(item.svc_operation_nonce, takenBack(item, clock.now()))
      await record.update()
    }
    return 'failed'
  }
  const fill = (make: (item: ListedOperation) => OperationItem) => {
    for (const operation of operations) record.set(operation.nonce, make(record.listed(operation)))
  }
  const about = { type: 'transaction', activity_id: activityId, network } as const
  const submitted = (transaction_hash: Hex): Promise<void> => {
    turn?.pass()
    fill((item) => ({ ...pendingItem(item), transaction_hash }))
    note({ ...about, status: 'sent', hash: transaction_hash })
    return record.update()
  }
  const nonces = operations.map(({ nonce }) => nonce)
  const landed = () => landedReceipt(node, account.walletAddress, nonces)
  const succeeded = (receipt: Receipt): Receipt => {
    fill((item) => confirmedItem(item, receipt, kind, book))
    return receipt
  }
  try {
    const before = resumed ? await landed() : undefined
    const pooled = resumed && !before ? await pooledHash(node, call) : undefined
    if (resumed && !before) {
      await takeBack(parts, submission, record)
      if (pooled) fill((item) => ({ ...pendingItem(item), transaction_hash: pooled }))
      await record.update()
    }
    const waiting = pooled && (await receiptOf(node, pooled, signal))
    const sending = { activityId, signal, submitted }
    const sent = async () => {
      // Executions ahead of it count as busy themselves, unless they wait for the clock.
      if (turn) await yieldFor(turn.ready)
      return send(node, submission, sending)
    }
    const receipt = before ?? waiting ?? (await retryUntilWritable(sent, signal))
    if (!resumed) await notifyRelayer(parts, network, receipt)
    writeDown(parts, execution, network, receipt)
    const stoppedBy = (revert: Revert) => stoppedUntilExpiry(parts, submission, revert)
    const revert = await noteMined(node, { activityId, operations }, receipt, stoppedBy)
    // Anyone with the signed operations may send them: then they have run, but not in this transaction.
    const other = revert && (await landed())
    if (!revert || other) return succeeded(other ?? receipt)
    fill((item) => ({ ...failedItem(item, revert, receipt), ...stoppedBy(revert) }))
  } catch (error) {
    if (signal.aborted) return 'interrupted'
    const { message } = error as Error
    const isLost = error instanceof NotMinedError
    // What the node has said no to may have run all the same: it was mined when the answer to it was lost.
    const other = await landed().catch(() => undefined)
    if (other) return succeeded(other)
    const reason = isLost ? message : `the transaction could not be sent: ${message}`
    fill((item) => failedItem(item, { reason, signature: null, values: null }))
    note({ ...about, status: 'not mined', operations, reason })
  }
  return 'failed'
}

function writeDown(
  { ledger, book }: RelayParts,
  { account: { walletAddress: wallet }, plan, pending }: Execution,
  network: NetworkName,
  { transactionHash: hash, blockNumber, logs }: Receipt,
): void {
  const actor = {
    by: 'plan',
    plan_id: plan.planId,
    activity_id: pending.activityId,
    wallet,
  } as const
  const transaction = { network, hash, block: Number(blockNumber) }
  ledger.add(actor, touchesOf(book.on(network), logs), transaction)
}

/** Reports deposits that the relayer would notice by itself later, so that in every run it knows them before anything is recorded. */
async function notifyRelayer(
  { bridge, book }: RelayParts,
  network: NetworkName,
  { logs }: Receipt,
): Promise<void> {
  const deposits = depositsIn(logs, network, book)
  for (const deposit of deposits) bridge.notice(deposit)
  if (deposits.length > 0) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Withdraws the records of a transaction that is not on its chain, before it is sent again. Tells the relayer which of its deposits were
 * filled nevertheless, so that it does not fill them twice.
 */
async function takeBack(
  { nodes, bridge }: RelayParts,
  { operations }: Submission,
  record: ActivityLog,
): Promise<void> {
  for (const { chain_id, transaction_hash } of record.takeBack(operations)) {
    const { name } = networks.find(({ chainId }) => chainId === chain_id)!
    const { rpc } = nodes.get(name)
    const fill = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [transaction_hash])
    if (fill) bridge.alreadyFilled(fill)
  }
}

/** The rules that kept an expired transaction from being mined while it could run. */
function stoppedUntilExpiry(
  { stoppedAt }: RelayParts,
  { network, operations }: Submission,
  { reason }: Revert,
): Pick<OperationItem, 'stopped_by'> {
  if (!reason.startsWith('SignatureExpired(')) return {}
  const stopped_by = stoppedAt?.(network, operations[0]!.expiry * 1000 - 1) ?? []
  return stopped_by.length > 0 ? { stopped_by } : {}
}

/** Records the effects of a mined transaction of a plan; resolves to why it reverted, or undefined when it succeeded. */
export async function noteMined(
  node: Node,
  { activityId, operations }: { activityId: string; operations: readonly OperationRecord[] },
  receipt: Receipt,
  stoppedBy: (revert: Revert) => ReturnType<typeof stoppedUntilExpiry> = () => ({}),
): Promise<Revert | undefined> {
  const about = {
    type: 'transaction',
    activity_id: activityId,
    network: node.network,
    hash: receipt.transactionHash,
    block: Number(receipt.blockNumber),
    gas_used: BigInt(receipt.gasUsed).toString(),
  } as const
  if (receipt.status === '0x1') {
    note({ ...about, status: 'mined', operations, logs: receipt.logs })
    return undefined
  }
  const revert = decodeRevert(await revertDataOf(node, receipt))
  note({ ...about, status: 'reverted', operations, reason: revert.reason, ...stoppedBy(revert) })
  return revert
}

/**
 * The receipt of the transaction that ran all operations with these nonces, whoever sent it; undefined when there is none. A reverted one does
 * not count: it uses no nonces and moves no funds, so it may be sent again.
 */
async function landedReceipt(
  node: Node,
  wallet: Address,
  nonces: readonly Hex[],
): Promise<Receipt | undefined> {
  const topics = encodeEventTopics({
    abi: iSvcWalletAbi,
    eventName: 'OperationExecuted',
    args: { nonce: nonces[0]! },
  })
  const receipt = await receiptOfLog(node, wallet, topics as (Hex | null)[])
  return receipt && nonces.every((nonce) => hasRun(receipt.logs, wallet, nonce))
    ? receipt
    : undefined
}
