/** A leased world. */
export interface LeasedWorld {
  id: string
  apiKey: string
  /** Path of the socket that it listens on. */
  socket: string
  leaseSeconds: number
  /** When the lease expires unless it is renewed: milliseconds since the Unix epoch, by the machine's clock. */
  leaseUntilMs: number
  /** Why the world is lost. Its key and id stay until the lease ends, so that requests can be told the reason. */
  lost?: string
}

/** Which worlds are leased, by key and by id. */
export interface Directory {
  add(world: LeasedWorld): void
  ofKey(apiKey: string): LeasedWorld | undefined
  ofId(id: string): LeasedWorld | undefined
  /** Undefined when there is no such lease. */
  renew(id: string, untilMs: number): LeasedWorld | undefined
  lose(id: string, reason: string): void
  remove(id: string): LeasedWorld | undefined
  /** In the order of their leases. */
  all(): LeasedWorld[]
}

/** A directory in the memory of this process. */
export function createDirectory(): Directory {
  const byId = new Map<string, LeasedWorld>()
  const idOfKey = new Map<string, string>()
  const ofId = (id: string): LeasedWorld | undefined => byId.get(id)
  const change = (id: string, part: Partial<LeasedWorld>): LeasedWorld | undefined => {
    const world = byId.get(id)
    const changed = world && { ...world, ...part }
    if (changed) byId.set(id, changed)
    return changed
  }
  return {
    add(world) {
      byId.set(world.id, world)
      idOfKey.set(world.apiKey, world.id)
    },
    ofKey(apiKey) {
      const id = idOfKey.get(apiKey)
      return id === undefined ? undefined : byId.get(id)
    },
    ofId,
    renew: (id, leaseUntilMs) => change(id, { leaseUntilMs }),
    lose: (id, lost) => void change(id, { lost }),
    remove(id) {
      const world = byId.get(id)
      if (!world) return undefined
      byId.delete(id)
      idOfKey.delete(world.apiKey)
      return world
    },
    all: () => [...byId.values()],
  }
}
