import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import { z } from 'zod'
import type { Node } from '../../chain/rpc/node.js'
import { inMoment } from '../../chain/transactions/mining.js'
import {
  NotMinedError,
  pooledHash,
  receiptOf,
  StoppedError,
} from '../../chain/transactions/pool.js'
import { inTurn, sendForReceipt } from '../../chain/transactions/send.js'
import { ServiceError } from '../../lib/errors.js'
import { currentScope, note } from '../../service/context/requestContext.js'
import { WrongSignature } from '../../service/plans/execute/consume.js'
import type { Submission } from '../../service/plans/execute/execution.js'
import { noteMined } from '../../service/plans/execute/relay.js'
import { isoSeconds } from '../../time/clock.js'
import { concerns, defineEffect, type Effect, pastRule } from '../rules/effect.js'
import { noBlocks } from './chain.js'
import { useUpNonce } from './planChanges.js'
import { secondsField, waitOrGone } from './settings.js'

/** A transaction that a node has accepted and cannot mine yet: the one before it of the same account is missing. */
interface Queued {
  hash: Hex
  /** Sends the missing one, which is empty; both are mined in one block, unless the network mines none. */
  fillGap(): Promise<void>
  drop(): Promise<void>
}

/** The tip of its two transactions: what a node takes by default, in wei. */
const tip = 10n ** 9n

/** Floor of a transaction's gas: 21,000 and at most 40 per byte of calldata. */
const floorGas = (data: Hex): bigint => 21_000n + 40n * BigInt((data.length - 2) / 2)

const noop = (): void => {}

/** The wallet refused a signature that a rule had changed. */
class ChangedSignature extends ServiceError {}

export const executeEffects: readonly Effect[] = [
  /** The wallet contract itself is to refuse it. */
  defineEffect({
    on: 'execute',
    name: 'reject_signature',
    summary:
      'One bit of the signature is changed in transit, and the wallet contract refuses it: 500 `internal_error`. Nothing is sent; the plan stays usable. A signature that the wallet refuses anyway is no hit.',
    outcome: () => ({ text: 'changed one bit of the signature' }),
    firesLater: true,
    async apply(_, call, proceed, { rule, fired }) {
      call.request.signature = turnBit(call.signature)
      try {
        return await proceed()
      } catch (error) {
        const isAgain = error instanceof ChangedSignature
        // A stale plan, and a signature that the wallet would not have accepted, are refused without the rule as well.
        if (!isAgain && !(error instanceof WrongSignature && error.isChanged)) throw error
        fired()
        if (isAgain) throw error
        // The diagnosis would blame the client for the bit.
        throw new ChangedSignature('internal_error', error.message, {
          hint: `Fault rule ${rule.id} (execute.reject_signature) changed one bit of the signature, and the wallet refused it. Nothing was sent, and the plan can be executed again. ${pastRule(rule)}`,
        })
      }
    },
  }),
  defineEffect({
    on: 'execute',
    name: 'revert',
    summary:
      'The transaction is sent and reverts on chain. `by: nonce` (default): its nonce was used up a moment before. `by: gas`: it runs out of gas. The activity fails with the decoded reason, and no funds move.',
    settings: z.strictObject({ by: z.enum(['nonce', 'gas']).default('nonce') }),
    outcome: ({ by }) => ({
      text:
        by === 'nonce'
          ? 'used up the wallet’s nonce'
          : 'gave the transaction half the gas that it needs',
      ends: ['reverted'],
    }),
    firesLater: true,
    apply({ by }, call, proceed, { rule, fired }) {
      call.interceptSend.push((send) => async (node, submission, sending) => {
        if (!concerns(rule, submission.network)) return send(node, submission, sending)
        if (by === 'gas') return sendWithHalfItsGas(node, submission, sending.signal)
        await useUpNonce(node, call.account.walletAddress, submission.operations[0]!.nonce)
        const { call: own } = submission
        return send(node, { ...submission, call: { ...own, alone: true } }, sending)
      })
      return executed(proceed, fired)
    },
  }),
  /** It waits in the pool behind a gap in its account's nonces. */
  defineEffect({
    on: 'execute',
    name: 'stuck',
    lasts: 'holds',
    summary:
      'The transaction waits in the node’s pool, and the activity stays pending with its hash, until `seconds` have passed on the clock or the rule is removed. Then it is mined. After a restart of the simulator, the waiting transaction is sent again as usual.',
    settings: z.strictObject({ seconds: secondsField.optional() }),
    outcome: ({ seconds }) => ({
      text: `holds the transaction in the node’s pool ${seconds === undefined ? 'until the rule is removed' : `for ${seconds} s`}`,
      ends: ['pending'],
    }),
    firesLater: true,
    apply({ seconds }, call, proceed, { rule, wait, fired }) {
      call.interceptSend.push((send) => async (node, submission, sending) => {
        if (!concerns(rule, submission.network)) return send(node, submission, sending)
        const queued = await queue(node, submission)
        await sending.submitted(queued.hash)
        const isOff = await waitOrGone(wait, seconds, [rule.signal, sending.signal])
        if (isOff && sending.signal.aborted) throw new StoppedError()
        const [{ hash }, { activityId: activity_id }, { network }] = [queued, sending, submission]
        const by = { rule: rule.id, effect: 'execute.stuck' }
        note({ type: 'release', ...by, activity_id, network, hash })
        await queued.fillGap()
        return receiptOf(node, queued.hash, sending.signal)
      })
      return executed(proceed, fired)
    },
  }),
  defineEffect({
    on: 'execute',
    name: 'dropped',
    lasts: 'holds',
    summary:
      'The node accepts the transaction and drops it from its pool. The activity is pending with an unknown hash, and fails after `seconds` (30) of the clock; no funds move. If the rule is removed or the simulator restarted before that, the transaction is sent again as usual and mined.',
    settings: z.strictObject({ seconds: secondsField.default(30) }),
    outcome: () => ({
      text: 'took the transaction out of the node’s pool',
      ends: ['not mined', 'dropped', 'pending'],
    }),
    firesLater: true,
    apply({ seconds }, call, proceed, { rule, wait, clock, fired }) {
      call.interceptSend.push((send) => async (node, submission, sending) => {
        const isOver = rule.signal.aborted
        if (isOver || !concerns(rule, submission.network)) return send(node, submission, sending)
        const queued = await queue(node, submission)
        await queued.drop()
        await sending.submitted(queued.hash)
        const { activityId: activity_id } = sending
        const until = isoSeconds(clock.now() + seconds * 1000)
        const { network } = submission
        note({
          type: 'transaction',
          activity_id,
          network,
          status: 'dropped',
          hash: queued.hash,
          until,
        })
        const isOff = await waitOrGone(wait, seconds, [rule.signal, sending.signal])
        if (sending.signal.aborted) throw new StoppedError()
        if (isOff) return send(node, submission, sending)
        throw new NotMinedError(queued.hash)
      })
      return executed(proceed, fired)
    },
  }),
  defineEffect({
    on: 'execute',
    name: 'response_lost',
    summary:
      'The plan is executed, its immediate transactions land, and the connection is cut without a response. The activity exists and can be read.',
    outcome: () => ({ text: 'cut the connection after the plan was executed' }),
    firesLater: true,
    async apply(_, call, proceed, { fired }) {
      const sent: Promise<void>[] = []
      call.interceptSend.push((send) => (node, submission, sending) => {
        let isHeld = (): void => {}
        const held = new Promise<void>((resolve) => {
          isHeld = resolve
        })
        const submitted = async (hash: Hex): Promise<void> => {
          await sending.submitted(hash)
          isHeld()
        }
        const receipt = send(node, submission, { ...sending, submitted })
        const ended = receipt.then(noop, noop)
        // A transaction that another rule holds in the pool is not immediate.
        sent.push(Promise.race([ended, held]))
        return receipt
      })
      const answer = await proceed()
      fired()
      await Promise.all(sent)
      currentScope()?.cut()
      return answer
    },
  }),
  defineEffect({
    on: 'execute',
    name: 'duplicate',
    summary:
      'The same signed operations are sent in two transactions. The second reverts on the nonce: money moves once, and the activity is confirmed once.',
    outcome: () => ({ text: 'sent the same operations twice', ends: ['reverted'] }),
    firesLater: true,
    apply(_, call, proceed, { rule, fired }) {
      call.interceptSend.push((send) => async (node, submission, sending) => {
        const first = await send(node, submission, sending)
        if (!concerns(rule, submission.network)) return first
        const second = await sendForReceipt(
          node,
          { ...submission.call, alone: true },
          sending.signal,
        )
        const { activityId } = sending
        await noteMined(node, { activityId, operations: submission.operations }, second)
        return first
      })
      return executed(proceed, fired)
    },
  }),
]

/** An effect on transactions fires when the plan is executed, and not if the execution is refused. */
async function executed<T>(proceed: () => Promise<T>, fired: () => void): Promise<T> {
  const answer = await proceed()
  fired()
  return answer
}

/**
 * Sends a plan's transaction with a gap before its nonce, from a second account of the relayer that nothing else uses: so it waits and nothing
 * else does. The wallet checks the signature and not the sender.
 */
async function queue(node: Node, { call, operations }: Submission): Promise<Queued> {
  const { rpc, chainId } = node
  const { privateKeyToAccount } = await import('viem/accounts')
  // One for each plan, always the same.
  const sender = privateKeyToAccount(keccak256(operations[0]!.nonce))
  const from = sender.address.toLowerCase() as Address
  const pay = () => rpc.request('anvil_setBalance', [from, toHex(10n ** 24n)])
  await pay()
  const used = Number(await rpc.request<Hex>('eth_getTransactionCount', [from, 'latest']))
  const send = async (transaction: { to: Address; data?: Hex; nonce: number; gas: bigint }) => {
    const price = BigInt(await rpc.request<Hex>('eth_gasPrice'))
    const fees = { maxFeePerGas: price > tip ? price : tip, maxPriorityFeePerGas: tip }
    const signed = await sender.signTransaction({ chainId, ...fees, ...transaction })
    return rpc.request<Hex>('eth_sendRawTransaction', [signed])
  }
  // After a pause it may wait there still.
  const waiting = await pooledHash(node, { ...call, from })
  const hash = waiting ?? (await send({ ...call, nonce: used + 1, gas: 10_000_000n }))
  return {
    hash,
    fillGap: () =>
      // With no block in between: else anvil, told of two transactions at once, mines an empty block besides, or does not.
      inTurn(node, () =>
        inMoment(node, async () => {
          // A reorganisation meanwhile may have taken its gas money.
          await pay()
          const release = await noBlocks.hold(node)
          await send({ to: from, nonce: used, gas: 21_000n }).finally(release)
        }),
      ),
    async drop() {
      await rpc.request('anvil_removePoolTransactions', [from])
    },
  }
}

/** Flips the last bit of s. Leaves text that is no signature unchanged. */
function turnBit(signature: string): string {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return signature
  const digit = Number.parseInt(signature[129]!, 16) ^ 1
  return `${signature.slice(0, 129)}${digit.toString(16)}${signature.slice(130)}`
}

async function sendWithHalfItsGas(node: Node, { call }: Submission, signal: AbortSignal) {
  const needed = BigInt(await node.rpc.request<Hex>('eth_estimateGas', [call]))
  const floor = floorGas(call.data)
  const gas = needed / 2n > floor ? needed / 2n : floor
  return sendForReceipt(node, { ...call, gas, alone: true }, signal)
}
