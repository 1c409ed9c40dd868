import { networkOfChain } from '../api/live.js'
import { NetworkLabel } from './labels.js'
import { Money } from './Money.js'
import { actionSentence } from './sentences.js'

export function Sentence({ type, context }: { type: string; context: object }) {
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
    </p>
  )
}
