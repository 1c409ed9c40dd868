import { Low, Memory } from 'lowdb'
import { CheckpointFile, type PiecesFormat } from '../../wal/checkpointFile.js'
import type { Recovered } from '../../wal/recover.js'
import {
  applyChange,
  applyStep,
  emptyState,
  type RecordStep,
  type StoreState,
  stepsTo,
} from './state.js'

export const storePart = 'store'

export function emptyStore(): Low<StoreState> {
  return new Low(new Memory(), emptyState())
}

/**
 * The same as it was when everything in this data folder had been written: its last checkpoint, and the changes after it. A response that was
 * under way has ended with its process.
 */
export async function recoverStore({ files, changes }: Recovered): Promise<Low<StoreState>> {
  const path = files[storePart]
  const db =
    path === undefined ? emptyStore() : new Low(new CheckpointFile(path, storeFile), emptyState())
  await db.read()
  for (const change of changes[storePart] ?? []) applyChange(db.data, change as RecordStep[])
  for (const each of db.data.unread.values())
    if (!each.lost) db.data.unread.set(each.activityId, { ...each, lost: { faults: [] } })
  return db
}

/** The file of a checkpoint: a line for each step that makes the state. It comes in pieces, so that other work gets its turn in between. */
export const storeFile = {
  format: piecesTo,
  async parse(pieces) {
    const state = emptyState()
    for await (const line of linesOf(pieces)) applyStep(state, JSON.parse(line) as RecordStep)
    return state
  },
} satisfies PiecesFormat<StoreState>

function* piecesTo(state: StoreState): Generator<string> {
  let piece = ''
  for (const step of stepsTo(state)) {
    piece += `${JSON.stringify(step)}\n`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield piece
}

const pieceLength = 64 * 1024

/** By line feeds alone: a text in JSON may hold what `node:readline` takes for the end of a line. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder() // a letter may stand in two pieces
  let begun = ''
  for await (const piece of pieces) {
    const lines = (begun + decoder.decode(piece, { stream: true })).split('\n')
    begun = lines.pop()!
    yield* lines
  }
}
