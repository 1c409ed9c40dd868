import type { NodeCommand } from '../rpc/nodeCommand.js'
import { plainAddress } from '../rpc/rpcValues.js'

export type NodeSettings = ReturnType<typeof createNodeSettings>

/**
 * How a node works beyond the state of its chain, as its commands have left it: what a saved state does not hold. It is told of every
 * command that is done.
 */
export function createNodeSettings() {
  const impersonated = new Map<string, NodeCommand>()
  let everybody: NodeCommand | undefined
  let automine: NodeCommand | undefined
  /** Transactions that made no block: those that wait for one or for a nonce, and some that did. */
  let sent: NodeCommand[] = []

  return {
    /** Whether a transaction is mined as soon as it comes. */
    get mines(): boolean {
      return automine === undefined
    },
    get sent(): readonly NodeCommand[] {
      return sent
    },
    /** Of what was sent these alone wait. */
    onlyWaiting(commands: readonly NodeCommand[]): void {
      sent = [...commands]
    },
    /** A command was done that made no block. */
    done(command: NodeCommand): void {
      const [first] = Array.isArray(command.params) ? (command.params as unknown[]) : []
      const name = command.method.toLowerCase().replace(/^[a-z]+_/, '')
      const address = plainAddress(first) ?? String(first)
      if (name === 'impersonateaccount') impersonated.set(address, command)
      else if (name === 'stopimpersonatingaccount') impersonated.delete(address)
      else if (name === 'autoimpersonateaccount') everybody = first === true ? command : undefined
      else if (name === 'setautomine') automine = first === true ? undefined : command
      else if (name.startsWith('send')) sent.push(command)
    },
    /** What brings a node that starts from a saved state to work like this. */
    commands(): NodeCommand[] {
      const flags = [everybody, automine].filter((command) => command !== undefined)
      return [...impersonated.values(), ...flags]
    },
  }
}
