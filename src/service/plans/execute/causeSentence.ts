import type { StaleNote } from '../../context/notes.js'

/** The cause in one sentence, for the hint and the timeline. The reason why the check failed follows it. */
export function sentenceOf(note: StaleNote): string {
  const { cause, changed, before, after, reason, network } = note
  const at = note.at ? ` at ${note.at.slice(11, 19)}` : ''
  const [hash] = note.hashes ?? []
  const sent = hash ? ` in transaction ${hash}` : ''
  const what =
    before === undefined
      ? `it changed the ${changed}`
      : `it changed the ${changed}: ${before} before, ${after} after`
  const effect = changed === 'nonce' ? 'it used the nonce' : what
  switch (cause) {
    case 'plan':
      return `plan ${note.by_plan} of the same wallet was executed${at}${sent}, ${effect}; ${reason}`
    case 'fault':
      return `fault rule ${note.rule} (${note.effect}) fired${at}${hash ? ` and sent transaction ${hash}` : ''}, ${effect}; ${reason}`
    case 'transfer':
      return `tokens of the wallet moved${at}${sent}: ${changed} was ${before}, is ${after}; ${reason}`
    case 'price':
      return `the ${changed} moved from ${before} to ${after}${at}; ${reason}`
    case 'clock':
      return `the clock moved from ${before} to ${after}; ${reason}`
    case 'reorganisation':
      return `a reorganisation replaced ${changed}${at}${note.rule ? ` (fault rule ${note.rule})` : ''}; ${reason}`
    case 'unknown':
      return network
        ? `${reason}; no plan of the service used it: a transaction from outside submitted or cancelled it`
        : reason
  }
}
