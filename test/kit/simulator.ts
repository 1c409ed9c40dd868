import type { Chains, ChainsOptions } from '../../src/chain/chains.js'
import type { NodeDeath } from '../../src/chain/process/launch.js'
import { type ResettableChains, startResettable } from '../../src/chain/resettableChains.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { RuleView } from '../../src/faults/rules/faultRules.js'
import type { SimulatorOptions, SimulatorHandle as TypedHandle } from '../../src/index.js'
import { createSimulator as createWithNodes } from '../../src/simulator/createSimulator.js'
import { createSimulatorOn } from '../../src/simulator/createSimulatorOn.js'
import { lend, takeBack } from './lending.js'

/** Tests add rules that are wrong on purpose, and rules of a table: theirs may be anything. */
export interface SimulatorHandle extends Omit<TypedHandle, 'faults'> {
  faults: Omit<TypedHandle['faults'], 'add' | 'set'> & {
    add(rule: unknown): Promise<RuleView>
    set(rules: readonly unknown[]): Promise<RuleView[]>
  }
}

/**
 * `createSimulator` for tests: the five nodes of a simulator that a test has closed serve the next one, taken back to their start as
 * between two leases of a world. Nodes that cannot go back are ended. A data folder, a fork or an export needs nodes of its own.
 */
export async function createSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  const { dataDir, fork, bundle, snapshot } = options
  if (dataDir ?? fork ?? bundle ?? snapshot)
    return (await createWithNodes(options)) as SimulatorHandle
  let lent: Chains | undefined
  const simulator = await createSimulatorOn(options, async (asked) => {
    lent = await lendChains(asked)
    return lent
  })
  lentNodes.set(simulator, lent!.nodes)
  return simulator as SimulatorHandle
}

const lentNodes = new WeakMap<object, Chains['nodes']>()

/** The process id of the node that runs a network of a simulator with lent nodes. Other files of this worker have nodes of their own. */
export function nodePid(simulator: SimulatorHandle, network: NetworkName): number {
  return lentNodes.get(simulator)!.get(network).lifecycle.pid
}

/** Five nodes of this worker. They stay until it ends: their watchdog ends them. */
interface LentChains extends ResettableChains {
  /** The simulator that has them now. */
  onDeath: (death: NodeDeath) => void
  isDead: boolean
}

/** That a node acts for the strangers of earlier tests is the one thing that tests may find. */
const actsForMore = /_(impersonateAccount|stopImpersonatingAccount)$/i

/** Five nodes that nobody has, as new, for `startSimulator`. */
export async function lendChains({
  world,
  clock,
  onDeath,
  signal,
}: ChainsOptions): Promise<Chains> {
  const lent = await lend('chains', () => startLent(world, signal))
  lent.onDeath = onDeath
  try {
    const state = await lent.begin(clock)
    return { nodes: lent.nodes, clock: state, data: undefined, forks: new Map(), ...ending(lent) }
  } catch (error) {
    // A clock that is refused leaves the nodes as they were.
    const isWell = await lent.begin(undefined).then(
      () => true,
      () => false,
    )
    takeBack('chains', isWell ? lent : undefined)
    if (!isWell) await lent.nodes.stop()
    throw error
  }
}

async function startLent(
  world: ChainsOptions['world'],
  signal: AbortSignal | undefined,
): Promise<LentChains> {
  const lent: Pick<LentChains, 'onDeath' | 'isDead'> = { onDeath() {}, isDead: false }
  const onDeath = (death: NodeDeath): void => {
    state.isDead = true
    state.onDeath(death)
  }
  const chains = await startResettable(world, { onDeath, signal })
  const state: LentChains = Object.assign(lent, chains)
  return state
}

function ending(
  lent: LentChains,
): Pick<Chains, 'stop' | 'checkpoint' | 'addToSourceBundle' | 'saveBundle'> {
  return {
    async stop(lastingMethods = new Set(['unknown'])) {
      lent.onDeath = () => {}
      const isLikeNew = [...lastingMethods].every((method) => actsForMore.test(method))
      const mayServe = isLikeNew && !lent.isDead
      takeBack('chains', mayServe ? lent : undefined)
      if (!mayServe) await lent.nodes.stop()
    },
    async checkpoint() {},
    async addToSourceBundle() {},
    saveBundle() {
      throw new Error('no network is forked')
    },
  }
}
