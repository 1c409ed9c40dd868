import type { NodeCommand } from '../rpc/nodeCommand.js'

/** From what a node becomes what it is: a state, and what it is asked to do then. */
export interface NodeSource {
  /** Path of a state, as a node starts from it; undefined for a fork as it begins. */
  readonly file: string | undefined
  readonly commands: readonly NodeCommand[]
}

/** How a node has become what it is, since it was last written down. */
export interface NodeHistory {
  readonly source: NodeSource
  /** Whether the source leads to what the node is. */
  readonly isWhole: boolean
  /** A command is in the log. */
  add(command: NodeCommand): void
  /** The latest command came to nothing. It came after the latest cut. */
  leaveOut(): void
  /** Something is being done that cannot be done again. */
  leave(): void
  /** The node is about to be written down as it is; with `first`, since its state does not show that. */
  cut(first: readonly NodeCommand[]): void
  /** What it was at the cut is in this file now. */
  written(file: string): void
}

/** The history of a node that starts from this file. */
export function createNodeHistory(startFile: string | undefined): NodeHistory {
  let file = startFile
  let commands: NodeCommand[] = []
  /** How often the source was left, and up to where that is written down. */
  let [left, writtenUpTo] = [0, 0]
  let atCut = { first: [] as readonly NodeCommand[], length: 0, left: 0 }
  return {
    get source() {
      return { file, commands: [...commands] }
    },
    get isWhole() {
      return left === writtenUpTo
    },
    add: (command) => void commands.push(command),
    leaveOut: () => void commands.pop(),
    leave: () => void left++,
    cut(first) {
      atCut = { first, length: commands.length, left }
    },
    written(path) {
      file = path
      commands = [...atCut.first, ...commands.slice(atCut.length)]
      writtenUpTo = atCut.left
    },
  }
}
