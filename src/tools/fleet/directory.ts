import { ServiceError } from '../../lib/errors.js'

/** A machine's worker, as it announces itself. */
export interface FleetWorker {
  /** Drawn at its start: a worker that is started again is another one. */
  id: string
  /** Where fronts reach it. */
  url: string
  /** How many of its worlds are ready at once. */
  warm: number
  /** How many more it may lease, the warm ones among them; none while it is leaving. */
  room: number
}

/** A lease, as fronts find it. */
export interface FleetLease {
  /** Of the world. */
  id: string
  /** SHA-256 of the world's key, in hex: the key itself is in no directory. */
  keyHash: string
  /** Where it lives. */
  worker: Pick<FleetWorker, 'id' | 'url'>
  leaseSeconds: number
  /** By the worker's clock, to be shown. Nobody else reckons with it. */
  leaseUntilMs: number
}

/** What a directory knows of a world. */
export interface FoundLease extends FleetLease {
  /** Why its worker is gone, and the world with it. */
  lost?: string
}

/**
 * Which world is where, and who has room. It only helps to find: what is leased, and to whom, is known by the worker alone, so that a
 * directory that forgets, or remembers what is over, can give no world to two.
 *
 * Each step is atomic. Times are counted from now on by the directory itself; nobody's clock is compared with another's. Everything
 * rejects with `DirectoryError` when the directory cannot be reached.
 */
export interface FleetDirectory {
  /**
   * Makes a worker known for `forMs`, with what room it has. Resolves to `new` when it was not known, and so its leases may not be
   * either; to `lost` when it has been given up, which stays so.
   */
  announce(worker: FleetWorker, forMs: number): Promise<'known' | 'new' | 'lost'>
  /** Sets a place for a lease aside: at the worker with most warm worlds, else with most room. Undefined when nobody has any. */
  place(except?: readonly string[]): Promise<Pick<FleetWorker, 'id' | 'url'> | undefined>
  /** Those that are known now. */
  workers(): Promise<FleetWorker[]>
  /** Gives a worker up: it and all its worlds are lost from now on, even if it should come back. */
  giveUp(workerId: string, reason: string): Promise<void>
  /** Makes a lease known for `forMs`. False when its worker has been given up. */
  put(lease: FleetLease, forMs: number): Promise<boolean>
  remove(lease: Pick<FleetLease, 'id' | 'keyHash'>): Promise<void>
  /** Undefined when there is none. Rejects with `NotToldYet` when it may have been forgotten. */
  ofId(id: string): Promise<FoundLease | undefined>
  /** The same. */
  ofKeyHash(keyHash: string): Promise<FoundLease | undefined>
  close(): Promise<void>
}

/** The directory cannot be reached. */
export class DirectoryError extends Error {
  override name = 'DirectoryError'
}

/** After this time the workers have told a directory again whatever it may have forgotten. Milliseconds. */
export const announceEveryMs = 3_000

/** It does not know of a world, and may have forgotten it: its worker tells it again within `toldAgainMs`. */
export class NotAnnouncedYet extends DirectoryError {
  override name = 'NotAnnouncedYet'
  constructor() {
    super(
      'The directory of worlds has only just been reached or begun, and may not know of all worlds yet',
    )
  }
}

/** What cannot be done while the directory cannot be asked. */
export function fleetUnavailable({ message, cause }: DirectoryError): ServiceError {
  return new ServiceError('fleet_unavailable', message, {
    hint: 'Leased worlds continue to work. Try again in a moment; if it persists, check the Redis of --directory.',
    cause,
  })
}

/** How long it is remembered that a worker was given up: longer than any lease. */
export const rememberedMs = 25 * 3_600_000
