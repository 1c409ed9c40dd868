import type { NodeCommand, SettingLeft } from '../rpc/commandLog.js'
import { methodOf } from '../rpc/methods.js'
import { plainAddress } from '../rpc/rpcValues.js'
import type { BareNode } from './bareNode.js'

export type NodeSettings = ReturnType<typeof createNodeSettings>

/**
 * Settings of a node that a saved state does not have, derived from its commands. `done` must be called for every command that was carried
 * out.
 */
export function createNodeSettings() {
  const impersonated = new Map<string, NodeCommand>()
  const everybody = createSwitch('anvil_autoImpersonateAccount', false)
  const automine = createSwitch('evm_setAutomine', true)
  /** Transactions that did not mine a block at once. Some may have been mined since. */
  let sent: NodeCommand[] = []

  return {
    /** Whether transactions are mined at once. */
    get mines(): boolean {
      return automine.isOn
    },
    /** What has switched its mining off for good. */
    get switchedOff(): NodeCommand | undefined {
      return automine.forGood
    },
    get sent(): readonly NodeCommand[] {
      return sent
    },
    /** Reduces the sent transactions to these, which still wait. */
    onlyWaiting(commands: readonly NodeCommand[]): void {
      sent = [...commands]
    },
    /** A command that mined no block was carried out. */
    done(command: NodeCommand): void {
      const [first] = Array.isArray(command.params) ? (command.params as unknown[]) : []
      const { name, effect } = methodOf(command.method)
      const address = plainAddress(first) ?? String(first)
      if (name === 'impersonateAccount') impersonated.set(address, command)
      else if (name === 'stopImpersonatingAccount') impersonated.delete(address)
      else if (name === 'autoImpersonateAccount') everybody.set(command, first === true)
      else if (name === 'setAutomine') automine.set(command, first === true)
      else if (effect === 'send') sent.push(command)
    },
    /** The commands that restore these settings on a node started from a saved state. */
    commands(): NodeCommand[] {
      return [...impersonated.values(), ...everybody.commands(), ...automine.commands()]
    },
    leftovers: (): SettingLeft[] => [...everybody.leftovers(), ...automine.leftovers()],
  }
}

/** A setting that is on or off, in two layers: what was set for good, and what is set for a while. */
function createSwitch(method: SettingLeft['method'], usual: boolean) {
  /** Undefined while it is as usual, and while it is as it was set for good. */
  let [good, now]: ({ command: NodeCommand; isOn: boolean } | undefined)[] = []
  const goodIsOn = (): boolean => good?.isOn ?? usual
  return {
    get isOn(): boolean {
      return now?.isOn ?? goodIsOn()
    },
    set(command: NodeCommand, isOn: boolean): void {
      if (!command.forNow) good = isOn === usual ? undefined : { command, isOn }
      now = command.forNow && isOn !== goodIsOn() ? { command, isOn } : undefined
    },
    get forGood(): NodeCommand | undefined {
      return good?.command
    },
    commands: (): NodeCommand[] => [good, now].flatMap((set) => (set ? [set.command] : [])),
    leftovers: (): SettingLeft[] => (now ? [{ method, isOn: goodIsOn() }] : []),
  }
}

/** Tracks the time of a node's next block, which the log does not have, so that a new process can continue with it. */
export interface NodeClock {
  /** A command about time was carried out. */
  observe(command: NodeCommand): Promise<void>
  /** A block was mined with this time. */
  mined(at: number): void
  /**
   * The earliest time for the next block. When the time of a block is set, the node's clock continues from that time once the block is mined.
   * If a second has passed in between, the node is a second behind from then on, and each such block adds one.
   */
  due(): number
  /** Sets this time on a node with the same chain. */
  putBack(node: BareNode): Promise<void>
}

/** For a node whose time runs with the machine's at first. Unix seconds. */
export function createNodeClock(node: BareNode): NodeClock {
  /** The time of the next block when it was last read, and when that was; undefined while it is the machine's time. */
  let next: { at: number; seenAt: number } | undefined
  /** Seconds between blocks; undefined while the time runs with the machine's. */
  let interval: number | undefined
  /** Whether the time was set for exactly the next block. */
  let isExact = false
  const due = (): number => {
    const isRunning = interval === undefined && !isExact
    if (!next) return machineSeconds()
    return next.at + (isRunning ? machineSeconds() - next.seenAt : 0)
  }
  return {
    due,
    async observe({ method, params }) {
      const { name } = methodOf(method)
      const [first] = Array.isArray(params) ? (params as unknown[]) : []
      if (name === 'setBlockTimestampInterval') interval = Number(first)
      if (name === 'removeBlockTimestampInterval') interval = undefined
      isExact = name === 'setNextBlockTimestamp'
      next = await readNextTime(node)
    },
    mined(at) {
      // While time runs, it continues from where it was, not from this block.
      if (at > due() || isExact || interval !== undefined)
        next = { at: at + (interval ?? 0), seenAt: machineSeconds() }
      isExact = false
    },
    async putBack(to) {
      const latest = Number((await to.block('latest')).timestamp)
      const since = interval === undefined && next ? machineSeconds() - next.seenAt : 0
      const at = next ? next.at + since : machineSeconds()
      // The node takes this as the time of its latest block, and adds the interval.
      await to.setTime(Math.max(latest, at - (interval ?? 0)))
      if (interval !== undefined) await to.ask('anvil_setBlockTimestampInterval', [interval])
      if (isExact) await to.ask('evm_setNextBlockTimestamp', [next!.at])
    },
  }
}

/** The time of the next block, and the second of the machine at which it was read. */
async function readNextTime(node: BareNode): Promise<{ at: number; seenAt: number }> {
  for (let tries = 3; ; tries--) {
    const seenAt = machineSeconds()
    const at = Number((await node.block('pending')).timestamp)
    if (machineSeconds() === seenAt || tries === 0) return { at, seenAt }
  }
}

function machineSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
