import {
  type FleetDirectory,
  type FleetLease,
  type FleetWorker,
  rememberedMs,
} from '../../src/tools/fleet/directory.js'

/** A map whose entries end by themselves. */
function createExpiring<T>() {
  const entries = new Map<string, { value: T; untilMs: number }>()
  const get = (key: string): T | undefined => {
    const entry = entries.get(key)
    if (entry && entry.untilMs > performance.now()) return entry.value
    entries.delete(key)
    return undefined
  }
  return {
    get,
    set: (key: string, value: T, forMs: number) =>
      void entries.set(key, { value, untilMs: performance.now() + forMs }),
    delete: (key: string) => void entries.delete(key),
    all: () => [...entries.keys()].flatMap((key) => get(key) ?? []),
  }
}

/** A directory in the memory of this process, for fronts and workers in it. */
export function memoryDirectory(): FleetDirectory {
  const workers = createExpiring<FleetWorker>()
  const leases = createExpiring<FleetLease>()
  const idOfKey = createExpiring<string>()
  const lost = createExpiring<string>()
  const found = (id: string | undefined) => {
    const lease = id === undefined ? undefined : leases.get(id)
    const reason = lease && lost.get(lease.worker.id)
    return lease && { ...lease, ...(reason !== undefined && { lost: reason }) }
  }
  return {
    async announce(worker, forMs) {
      if (lost.get(worker.id) !== undefined) return 'lost'
      const isKnown = workers.get(worker.id) !== undefined
      workers.set(worker.id, { ...worker }, forMs)
      return isKnown ? 'known' : 'new'
    },
    async place(except = []) {
      const open = workers.all().filter(({ id, room }) => room > 0 && !except.includes(id))
      const by = open.some(({ warm }) => warm > 0) ? 'warm' : 'room'
      const [best] = open.sort((one, other) => other[by] - one[by] || (one.id < other.id ? 1 : -1))
      if (!best) return undefined
      // Until it says so itself.
      best.room--
      best.warm = Math.max(0, best.warm - 1)
      return { id: best.id, url: best.url }
    },
    workers: async () => workers.all().map((worker) => ({ ...worker })),
    async giveUp(workerId, reason) {
      workers.delete(workerId)
      if (lost.get(workerId) === undefined) lost.set(workerId, reason, rememberedMs)
    },
    async put(lease, forMs) {
      if (lost.get(lease.worker.id) !== undefined) return false
      leases.set(lease.id, lease, forMs)
      idOfKey.set(lease.keyHash, lease.id, forMs)
      return true
    },
    async remove({ id, keyHash }) {
      leases.delete(id)
      idOfKey.delete(keyHash)
    },
    ofId: async (id) => found(id),
    ofKeyHash: async (keyHash) => found(idOfKey.get(keyHash)),
    async close() {},
  }
}
