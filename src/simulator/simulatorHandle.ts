// Users need not have this in their own configuration: the handle is disposable.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import type { FundRequest } from '../clients/remote/fundRequest.js'
import type { Timekeeper } from '../control/time.js'
import type { NetworkName } from '../deployments/networks.js'
import type { FaultRules } from '../faults/rules/faultRules.js'
import type { Ended } from './options.js'

/** A simulator as a test holds it: `await using sim = await createSimulator()` stops it at the end of the block. */
export interface SimulatorHandle extends AsyncDisposable {
  /** Base URL of the service API. */
  url: string
  apiKey: string
  /** All accepted API keys: the given ones, the default, or beyond loopback the one that was drawn. */
  apiKeys: readonly string[]
  controlUrl: string
  docsUrl: string
  /** The dashboard; undefined when it is left out. */
  uiUrl: string | undefined
  /** JSON-RPC URL of a network (HTTP; the same path speaks WebSocket). */
  rpc(network: NetworkName): string
  /** Adds `amount` (smallest unit) of an asset to an account's wallet or to any address. */
  fund(request: FundRequest): Promise<{ address: string; balance: string }>
  /** Takes a snapshot of the whole system: service state, five chains, clock, faults. Returns its id. */
  snapshot(name?: string): Promise<string>
  /** Takes everything back to a snapshot, by id or name. Later ones are gone. */
  restore(idOrName: string): Promise<void>
  /** Takes everything back to the state right after the start. All snapshots are gone. */
  reset(): Promise<void>
  /** Faults on purpose: rules that are added and removed. */
  faults: FaultRules
  /** The forked networks: host, block, and which protocols are missing there. */
  forks: Forks
  /** From which ids and chances are drawn. */
  seed: bigint
  /** The one clock: `now()`, `advance(seconds)`, `freeze(atMs?)`, `resume()`, `auto()`; each move resolves when all that is due has happened. */
  clock: Timekeeper & { now(): Date }
  /**
   * Stops the API and the five nodes within five seconds; requests under way are answered before. Rejects when the data folder could
   * not be saved. Safe to call twice.
   */
  close(): Promise<void>
  /** Resolves when it has ended, also when a node died under it. */
  closed: Promise<Ended>
}
