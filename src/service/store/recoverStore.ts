import { createReadStream } from 'node:fs'
import type { Recovered } from '../../wal/recover.js'
import {
  applyChange,
  applyStep,
  emptyState,
  type RecordStep,
  type StoreState,
  stepsTo,
} from './state.js'

/** The name of the store in a log. */
export const storePart = 'store'

/** What the store was when everything in this data folder had been written. */
export async function recoverStore({ files, changes }: Recovered): Promise<StoreState> {
  const state = emptyState()
  const path = files[storePart]
  if (path !== undefined)
    for await (const line of linesOf(path)) applyStep(state, JSON.parse(line) as RecordStep)
  for (const change of changes[storePart] ?? []) applyChange(state, change as RecordStep[])
  return state
}

/** The state as a checkpoint has it, in pieces: whoever writes them can do other things in between. */
export function* writtenDown(state: StoreState): Generator<string> {
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
async function* linesOf(path: string): AsyncGenerator<string> {
  let begun = ''
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (begun + piece).split('\n')
    begun = lines.pop()!
    yield* lines
  }
}
