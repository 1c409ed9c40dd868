import type { Address, Hex } from 'viem'
import { isHex } from 'viem/utils'
import type { Node, Nodes, Receipt } from '../../../chain/rpc/node.js'
import { sendForReceipt } from '../../../chain/transactions/send.js'
import { encodeExecution } from '../../../chain/wallet/wallet.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { serialQueues } from '../../../lib/serialQueues.js'
import type { Clock } from '../../../time/clock.js'
import type { HoldingRule } from '../../bridge/refund.js'
import type { BridgeRelayer } from '../../bridge/relayer.js'
import type { Ledger } from '../../context/ledger.js'
import type {
  AccountRecord,
  ActivityRecord,
  OperationRecord,
  PlanRecord,
  Store,
} from '../../store/store.js'
import { operationDigests } from '../assembly/details.js'
import type { PlanKind } from '../model/kind.js'

/** A transaction that runs all operations of a plan on one network. */
export interface Submission {
  network: NetworkName
  /** Whether it waits until the plan's bridges have delivered. */
  contingent: boolean
  operations: OperationRecord[]
  /** With a block of its own where a fault asks for one (`alone`). */
  call: { from: Address; to: Address; data: Hex; alone?: boolean }
}

/** The transactions of a plan, one per network, in the order of its operations. */
export function submissionsOf(
  account: AccountRecord,
  plan: Pick<PlanRecord, 'operations'>,
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

export interface RelayParts {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  store: Store
  bridge: BridgeRelayer
  ledger: Ledger
  /** The rules that kept a network from mining at a moment of the clock. */
  stoppedAt?(network: NetworkName, ms: number): readonly HoldingRule[]
}

interface Sending {
  activityId: string
  /** Aborted to interrupt: then sending has to reject soon. Resuming finds out whether the transaction has landed. */
  signal: AbortSignal
  /** To be called with the hash of a transaction that may wait for long. */
  submitted(hash: Hex): Promise<void>
}

/** Sends one transaction of a plan; resolves to its receipt once it is mined, reverted or not. */
export type SendPlan = (node: Node, submission: Submission, sending: Sending) => Promise<Receipt>

/** The usual way: from the relayer's account, at once. First steps of a plan let bridges, and operations that waited for them, go first. */
export const sendPlan: SendPlan = (node, { call, contingent }, { signal, submitted }) =>
  sendForReceipt(node, { ...call, canWait: !contingent }, signal, { parked: submitted })

export interface Execution {
  account: AccountRecord
  plan: PlanRecord
  kind: PlanKind
  submissions: readonly Submission[]
  pending: ActivityRecord
  send: SendPlan
  /** Whether it was begun before: transactions that have landed are looked up instead of sent again. */
  resumed: boolean
  /** When it may send, by network; at once where there is no turn. */
  turns?: Turns
  /** Aborted to interrupt: pending sends finish, the rest is left for when it is resumed, and the activity stays pending. */
  signal: AbortSignal
  /** Interrupts this execution alone; it is resumed at once. */
  restart(): void
}

/** 0x and 65 bytes: r, s, v. The wallet refuses anything else. */
export function isWellFormed(signature: string): signature is Hex {
  return isHex(signature, { strict: true }) && signature.length === 132
}

export interface Turn {
  /** Resolves when all before it have passed. */
  ready: Promise<void>
  /** Lets the next one send; safe to call twice. */
  pass(): void
}

export type Turns = ReadonlyMap<NetworkName, Turn>

/**
 * Makes resumed executions send in the order in which they began. Each first looks up which of its transactions have landed, which would make
 * the order random, and a later plan may need the result of an earlier one.
 */
export function createTurns() {
  const inTurn = serialQueues<NetworkName>()
  const take = (network: NetworkName): Turn => {
    let pass = (): void => {}
    const passed = new Promise<void>((resolve) => {
      pass = resolve
    })
    const ready = new Promise<void>((resolve) => {
      void inTurn(network, () => {
        resolve()
        return passed
      })
    })
    return { ready, pass }
  }
  return {
    /**
     * Gives a plan places behind all that have one; each must be passed when the transaction there has been sent. Operations that wait for a
     * bridge queue only if the plan was confirmed before: otherwise no later plan depends on them, and bridges are slow.
     */
    async during(
      { operations }: PlanRecord,
      wasConfirmed: boolean,
      carryOut: (turns: Turns) => Promise<void>,
    ) {
      const placed = operations.filter(({ contingent }) => wasConfirmed || !contingent)
      const networks = new Set(placed.map(({ network }) => network))
      const turns = new Map([...networks].map((network) => [network, take(network)]))
      try {
        await carryOut(turns)
      } finally {
        for (const { pass } of turns.values()) pass()
      }
    },
  }
}
