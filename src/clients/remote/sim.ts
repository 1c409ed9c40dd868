import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { FaultRuleInput } from '../../faults/rules/faultRuleInput.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import type { FundRequest } from './fundRequest.js'

/**
 * A simulator as a test holds it: the same from `createSimulator`, from `leaseWorld` and as `sim` of the fixtures. `await` what it returns:
 * a simulator in this process tells time and rules at once, a leased world over HTTP.
 */
export interface Sim extends AsyncDisposable {
  /** Base URL of the service API. */
  url: string
  /** Of a leased world the key chooses the world, also as bearer for `/_sim` and `/rpc`. */
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
  /** Restores a snapshot, by id or name. Later ones are gone. */
  restore(idOrName: string): Promise<void>
  /** Takes everything back to the start. All snapshots are gone. */
  reset(): Promise<void>
  snapshots: { list(): Promise<SnapshotInfo[]>; delete(idOrName: string): Promise<void> }
  faults: SimFaults
  clock: SimClock
  /** Ends it, or returns the lease. Safe to call twice. */
  close(): Promise<void>
}

/** Faults on purpose: docs/faults.md describes every effect. */
export interface SimFaults<Listed = RuleView[] | Promise<RuleView[]>> {
  /** Adds a rule. Rejects with the reason when it names something that does not exist; then nothing has changed. */
  add(rule: FaultRuleInput): Promise<RuleView>
  /** Replaces all rules by these, or none of them. */
  set(rules: readonly FaultRuleInput[]): Promise<RuleView[]>
  list(): Listed
  /** Removes a rule. False when there is none of that id. */
  remove(id: string): Promise<boolean>
  /** Removes all rules. */
  clear(): Promise<void>
}

/** The one clock of the service and the chains; each move resolves when everything due has happened. */
export interface SimClock<Now = Date | Promise<Date>, Told = Time | Promise<Time>> {
  now(): Now
  time(): Told
  advance(seconds: number): Promise<Time>
  /** Stops it, now or at a moment in milliseconds since the Unix epoch. */
  freeze(atMs?: number): Promise<Time>
  resume(): Promise<Time>
  /** Jumps to the next due moment whenever everybody waits. */
  auto(): Promise<Time>
  /**
   * Waits by this clock: for the pauses of a client, which `auto` skips then. Rejects with the reason of the signal. A frozen clock has to be
   * moved meanwhile.
   */
  wait(seconds: number, signal?: AbortSignal): Promise<Time>
}
