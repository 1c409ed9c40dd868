import { StoppedError, unlessStopped } from '../../../chain/transactions/pool.js'
import { inOrder, inParallel } from '../../../time/backgroundTasks.js'
import { addressOf, type Deposit, depositsIn } from '../../bridge/deposit.js'
import { fillReceipt } from '../../bridge/outcome.js'
import type { FillOutcome } from '../../bridge/relayer.js'
import { note } from '../../context/requestContext.js'
import { contextsOf } from '../assembly/details.js'
import { type ActivityLog, createActivityLog } from './activityLog.js'
import { type BridgeSeen, receivedItem, refundedItem } from './bridgeItems.js'
import type { Execution, RelayParts, Submission } from './execution.js'
import { submit } from './submit.js'

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
    immediate.map((each) => async () => {
      const end = await source(parts, execution, each, record)
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
      : {
          status: outcome.status,
          reason: outcome.reason,
          ...(outcome.refund && { refund: outcome.refund.transactionHash }),
        }),
  })
  // Of the time at which it ended.
  const seen = bridgeSeen(parts, execution, deposit)
  record.external(receivedItem({ ...seen, outcome }, book))
  const refund = outcome.status === 'failed' ? outcome.refund : undefined
  if (refund) record.external(refundedItem({ ...seen, refund }, book))
  return outcome.status
}

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
  const arrivesAs = context && { arrivesAs: context.destination_asset_symbol }
  return { deposit, wallet: account.walletAddress, price, nowMs: clock.now(), ...arrivesAs }
}
