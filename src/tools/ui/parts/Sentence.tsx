import { networkOfChain } from '../api/live.js'
import { NetworkLabel } from './labels.js'
import { Money } from './Money.js'
import { actionSentence } from './sentences.js'

/** What an action does, and its state unless it is done. */
export function Sentence(action: { type: string; context: object; state?: string }) {
  const { type, context, state = 'done' } = action
  const phrases = actionSentence(type, context as Record<string, unknown>)
  return (
    <p class="sentence">
      {phrases.map((phrase, index) =>
        typeof phrase === 'string' ? (
          phrase
        ) : 'chain' in phrase ? (
          <NetworkLabel key={index} network={networkOfChain(phrase.chain)} />
        ) : (
          <Money key={index} {...phrase} />
        ),
      )}
      {state !== 'done' && <span class="small"> ({state})</span>}
    </p>
  )
}
