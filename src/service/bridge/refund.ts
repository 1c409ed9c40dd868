import type { Hex } from 'viem'
import { encodeFunctionData, formatUnits } from 'viem/utils'
import type { Node, Receipt } from '../../chain/rpc/node.js'
import { StoppedError } from '../../chain/transactions/pool.js'
import { failureOf } from '../../chain/transactions/revert.js'
import { sendAs } from '../../chain/transactions/send.js'
import { sendFor } from '../../chain/transactions/sendFor.js'
import { actors } from '../../deployments/actors.js'
import { networkOf } from '../../deployments/networks.js'
import { iSpokePoolAbi, tokenAbi } from '../../generated/abis.js'
import { UnwritableError } from '../../lib/errors.js'
import type { Clock, Wait } from '../../time/clock.js'
import { retryUntilWritable } from '../../time/retryUntilWritable.js'
import { addressOf, type Deposit } from './deposit.js'
import type { FillParts } from './fill.js'
import { fillReceipt, refundReceipt } from './outcome.js'

/** The first second in which an unfilled deposit is refunded: its pool fills it as long as the second of its deadline lasts. Unix seconds. */
export const refundableFrom = (fillDeadline: number): number => fillDeadline + 1

type TimedParts = FillParts & { clock: Clock; wait: Wait }

/** A fault rule, and its effect as `seam.effect`. */
export interface HoldingRule {
  rule: string
  effect: string
}

/** A rule that kept a transaction from being mined: that of the fill, or of the deposit. */
export interface StoppingRule extends HoldingRule {
  of?: 'deposit'
}

export type Settled =
  | { status: 'filled'; receipt: Receipt }
  /**
   * Not filled, and why. The deposit is back with its depositor on the origin network, unless there is no `refund`. `heldBy`: the rules that kept it from being
   * filled; `stoppedBy`: those that kept its network from mining the fill in time.
   */
  | {
      status: 'failed'
      reason: string
      refund?: Receipt
      heldBy?: readonly string[]
      stoppedBy?: readonly StoppingRule[]
    }

/**
 * Waits, by the clock, until the deadline of an unfilled deposit has passed on the origin network, and sends the input back there. `why` it
 * was not filled becomes part of the reason.
 *
 * A fill that has landed nevertheless, by another relayer or with its answer lost, counts, and nothing is refunded. After the deadline none
 * can land any more, so the money is never on both sides.
 */
export async function refundWhenDue(
  parts: TimedParts,
  deposit: Deposit,
  why: string,
  { signal, early = false }: { signal: AbortSignal; early?: boolean },
): Promise<Settled | { status: 'interrupted' }> {
  const origin = parts.nodes.get(deposit.from)
  const { fillDeadline } = deposit.relayData
  try {
    const before = await fillReceipt(parts, deposit)
    if (before) return { status: 'filled', receipt: before }
    if (!early && !(await untilChainTime(parts, origin, refundableFrom(fillDeadline), signal)))
      return { status: 'interrupted' }
    const late = await fillReceipt(parts, deposit)
    if (late) return { status: 'filled', receipt: late }
    const refund =
      (await refundReceipt(parts, deposit)) ??
      (await retryUntilWritable(() => sendRefund(parts, deposit, early, signal), signal))
    const when = early ? 'at once' : 'after the fill deadline'
    const reason = `${why}; ${shownInput(parts, deposit)} refunded on ${deposit.from} ${when}`
    return { status: 'failed', reason, refund }
  } catch (error) {
    if (isInterrupted(error)) return { status: 'interrupted' }
    return {
      status: 'failed',
      reason: `${why}; the refund failed: ${failureOf(error)}`,
    }
  }
}

/** `900 USDC`; the smallest units and the address of a token that is no asset of ours. */
function shownInput({ book }: Pick<FillParts, 'book'>, { from, relayData }: Deposit): string {
  const address = addressOf(relayData.inputToken)
  const token = book.on(from).tokens.find((candidate) => candidate.address === address)
  return token
    ? `${formatUnits(relayData.inputAmount, token.decimals)} ${token.symbol}`
    : `${relayData.inputAmount} of ${address}`
}

/** Whether to do it later: the relayer pauses, or the disk takes nothing. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof StoppedError || error instanceof UnwritableError
}

function sendRefund(
  parts: FillParts,
  deposit: Deposit,
  early: boolean,
  signal: AbortSignal,
): Promise<Receipt> {
  if (parts.forked?.has(deposit.from)) return payAsHub(parts, deposit, signal)
  const { nodes, book } = parts
  const call = {
    from: early ? actors.admin : actors.relayer, // the admin is the pools' hub
    to: book.on(deposit.from).spokePool,
    data: encodeFunctionData({
      abi: iSpokePoolAbi,
      functionName: 'refund',
      args: [deposit.relayData, BigInt(networkOf(deposit.to).chainId)],
    }),
  }
  return sendAs(nodes.get(deposit.from), call, signal)
}

/** The protocol's own pool refunds by word of its hub, which is on another chain: the pool pays out of what it holds. */
async function payAsHub(
  { nodes, book }: FillParts,
  deposit: Deposit,
  signal: AbortSignal,
): Promise<Receipt> {
  const { inputToken, inputAmount, depositor } = deposit.relayData
  const call = {
    to: addressOf(inputToken),
    data: encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transfer',
      args: [addressOf(depositor), inputAmount],
    }),
  }
  return sendFor(nodes.get(deposit.from), book.on(deposit.from).spokePool, call, signal)
}

/** Waits until a deposit that is exclusive to another relayer is open to all, or cannot be filled any more. False when stopped. */
export function untilOpen(
  parts: TimedParts,
  { relayData, to }: Deposit,
  signal: AbortSignal,
): Promise<boolean> | true {
  const { exclusiveRelayer, exclusivityDeadline, fillDeadline } = relayData
  const isOurs = addressOf(exclusiveRelayer).toLowerCase() === actors.relayer
  if (exclusivityDeadline === 0 || isOurs) return true
  const opensAt = Math.min(exclusivityDeadline, fillDeadline) + 1
  return untilChainTime(parts, parts.nodes.get(to), opensAt, signal)
}

/** Waits until the network's next block would have this time (Unix seconds) or a later one. False when told to stop. */
async function untilChainTime(
  { clock, wait }: TimedParts,
  { rpc }: Node,
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    // The chain's own time, since the contract uses that; it may have been moved away from the clock.
    const next = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['pending', false])
    const missing = seconds - Number(next.timestamp)
    if (missing <= 0) return true
    // Chains count whole seconds: it is there when the second begins.
    if (!(await wait(missing * 1000 - (clock.now() % 1000), signal))) return false
  }
}
