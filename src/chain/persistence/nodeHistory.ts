import type { NodeCommand } from '../rpc/commandLog.js'

/** What a node is rebuilt from: a state file, and the commands run after it. */
export interface NodeSource {
  /** Path of the state file; undefined for a fork, which begins without one. */
  readonly file: string | undefined
  readonly commands: readonly NodeCommand[]
}

/** The changes of a node since its last checkpoint. */
export interface NodeHistory {
  readonly source: NodeSource
  /** Whether replaying the source gives the present state of the node. */
  readonly isWhole: boolean
  /** The log has this command. */
  add(command: NodeCommand): void
  /** Removes the latest command, which was not carried out. It came after the latest cut. */
  dropLast(): void
  /** Something is being done that a replay cannot repeat. */
  markUnrepeatable(): void
  /** A checkpoint of the node is about to be made. `first`: commands to replay first, for what the state file cannot hold. */
  cut(first: readonly NodeCommand[]): void
  /** The state at the cut is in this file now. */
  written(file: string): void
}

/** The history of a node that starts from this file. */
export function createNodeHistory(startFile: string | undefined): NodeHistory {
  let file = startFile
  let commands: NodeCommand[] = []
  /** How many unrepeatable changes there were, and how many of them the state file has. */
  let [unrepeatable, inFile] = [0, 0]
  let atCut = { first: [] as readonly NodeCommand[], length: 0, unrepeatable: 0 }
  return {
    get source() {
      return { file, commands: [...commands] }
    },
    get isWhole() {
      return unrepeatable === inFile
    },
    add: (command) => void commands.push(command),
    dropLast: () => void commands.pop(),
    markUnrepeatable: () => void unrepeatable++,
    cut(first) {
      atCut = { first, length: commands.length, unrepeatable }
    },
    written(path) {
      file = path
      commands = [...atCut.first, ...commands.slice(atCut.length)]
      inFile = atCut.unrepeatable
    },
  }
}
