import type { NodeCommand } from '../rpc/commandLog.js'
import { methodOf } from '../rpc/methods.js'
import { plainAddress } from '../rpc/rpcValues.js'

export type NodeSettings = ReturnType<typeof createNodeSettings>

/**
 * Settings of a node that a saved state does not have, derived from its commands. `done` must be called for every command that was carried
 * out.
 */
export function createNodeSettings() {
  const impersonated = new Map<string, NodeCommand>()
  let everybody: NodeCommand | undefined
  let automine: NodeCommand | undefined
  /** Transactions that did not mine a block at once. Some may have been mined since. */
  let sent: NodeCommand[] = []

  return {
    /** Whether transactions are mined at once. */
    get mines(): boolean {
      return automine === undefined
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
      else if (name === 'autoImpersonateAccount') everybody = first === true ? command : undefined
      else if (name === 'setAutomine') automine = first === true ? undefined : command
      else if (effect === 'send') sent.push(command)
    },
    /** The commands that restore these settings on a node started from a saved state. */
    commands(): NodeCommand[] {
      const flags = [everybody, automine].filter((command) => command !== undefined)
      return [...impersonated.values(), ...flags]
    },
  }
}
