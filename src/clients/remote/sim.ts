import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { FaultRuleInput } from '../../faults/rules/faultRuleInput.js'
import type { RuleView } from '../../faults/rules/faultRules.js'

/**
 * A simulator in a test: `createSimulator`, `leaseWorld` and the fixture `sim` all return one. `await` its results: a leased world sends
 * requests over HTTP.
 */
export interface Sim extends AsyncDisposable {
  /** Base URL of the service API. */
  url: string
  /** The API key. In a leased world it selects the world, also as bearer token for `/_sim` and `/rpc`. */
  apiKey: string
  /** All keys that are accepted. */
  apiKeys: readonly string[]
  /** Base URL of the control API. */
  controlUrl: string
  docsUrl: string
  /** The dashboard; undefined when it was left out. */
  uiUrl: string | undefined
  /** JSON-RPC URL of a network (HTTP; the same path speaks WebSocket). */
  rpc(network: NetworkName): string
  /** Adds `amount` (smallest unit) of an asset to an account's wallet or to any address. */
  fund(request: FundRequest): Promise<{ address: string; balance: string }>
  /** Takes a snapshot of everything: service state, five chains, clock, faults. Returns its id. */
  snapshot(name?: string): Promise<string>
  /** Restores a snapshot, by id or name. Removes later ones. */
  restore(idOrName: string): Promise<void>
  /** Resets everything to the start. Removes all snapshots. */
  reset(): Promise<void>
  snapshots: { list(): Promise<SnapshotInfo[]>; delete(idOrName: string): Promise<void> }
  faults: SimFaults
  clock: SimClock
  /** Stops the simulator, or releases the lease. Safe to call twice. */
  close(): Promise<void>
}

/** The fault rules: docs/faults.md describes every effect. */
export interface SimFaults<Listed = RuleView[] | Promise<RuleView[]>> {
  /** Adds a rule. Rejects with the reason, and changes nothing, when it names something that does not exist. */
  add(rule: FaultRuleInput): Promise<RuleView>
  /** Replaces all rules by these, or none of them. */
  set(rules: readonly FaultRuleInput[]): Promise<RuleView[]>
  list(): Listed
  /** Removes a rule. False when no rule has this id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules. */
  clear(): Promise<void>
}

/** The clock of the service and of all chains. Each move resolves when everything due has happened. */
export interface SimClock<Now = Date | Promise<Date>, Told = Time | Promise<Time>> {
  now(): Now
  time(): Told
  advance(seconds: number): Promise<Time>
  /** Freezes the clock, now or at a time in milliseconds since the Unix epoch. */
  freeze(atMs?: number): Promise<Time>
  resume(): Promise<Time>
  /** Lets the clock jump to the next due moment whenever everything waits. */
  auto(): Promise<Time>
  /**
   * Waits by this clock. Use it for the pauses of a client, so that an `auto` clock skips them. Somebody else must advance a frozen clock
   * meanwhile. Rejects with the signal's reason.
   */
  wait(seconds: number, signal?: AbortSignal): Promise<Time>
}

/**
 * Funds to give; exactly one of `account_id` and `address`. `amount` in the asset's smallest unit: text, an integer up to 2^53-1, or
 * a `bigint`.
 */
export interface FundRequest {
  account_id?: string
  address?: string
  asset: string
  amount: string | number | bigint
  network: NetworkName
}
