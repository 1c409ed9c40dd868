import { keepingProcessAlive } from '../lib/keepProcessAlive.js'
import { checkOptions } from './options/checkOptions.js'
import type { SimulatorOptions } from './options/options.js'
import { type Simulator, type StartControl, startSimulator } from './sim.js'
import type { SimulatorHandle } from './simulatorHandle.js'

/**
 * Like `createSimulator`, on chains that `openChains` starts or lends. A separate file, because the library's types must not refer to
 * bundled packages.
 */
export async function createSimulatorOn(
  options: SimulatorOptions,
  openChains?: StartControl['openChains'],
): Promise<SimulatorHandle> {
  checkOptions(options)
  const simulator = await startSimulator({ ...options, keepAlive: false, openChains })
  const { rpc, snapshots, clock, faults } = simulator
  closeAtTheEnd(simulator)
  return {
    ...simulator,
    rpc: (network) => rpc[network],
    clock: {
      ...clock,
      now: () => new Date(clock.time().ms),
      advance: keepingProcessAlive(clock.advance),
      freeze: keepingProcessAlive(clock.freeze),
      resume: keepingProcessAlive(clock.resume),
      auto: keepingProcessAlive(clock.auto),
      wait: keepingProcessAlive(clock.wait),
    },
    faults,
    fund: keepingProcessAlive(simulator.fund),
    snapshot: keepingProcessAlive(async (name?: string) => (await snapshots.take(name)).id),
    restore: keepingProcessAlive(async (idOrName: string) => {
      // Untyped callers may pass undefined, which must not match a snapshot that has no name.
      await snapshots.restore(`${idOrName}`)
    }),
    reset: keepingProcessAlive(async () => {
      await snapshots.reset()
    }),
    snapshots: {
      list: async () => snapshots.list(),
      delete: keepingProcessAlive(async (idOrName: string) => {
        await snapshots.delete(`${idOrName}`)
      }),
    },
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

const open = new Set<Simulator>()

/** One listener for all: Node warns of more than ten. */
function closeAtTheEnd(simulator: Simulator): void {
  if (open.size === 0) process.on('beforeExit', closeAll)
  open.add(simulator)
  void simulator.closed.then(() => {
    open.delete(simulator)
    if (open.size === 0) process.off('beforeExit', closeAll)
  })
}

function closeAll(): void {
  for (const simulator of open) void simulator.close()
}
