import { atPaths, defineAnswer } from './defineAnswer.js'

/** A message of the folio stream, or several. */
interface Messages {
  messages: { event: string; pairs: unknown }[]
}

/** The folio stream is no part of interface.md, so a reader has to be ready for messages of other names. */
export const unknownMessages = defineAnswer({
  name: 'unknown_messages',
  summary:
    'Before a message of the folio stream comes one with another name, `revision`, and other data.',
  at: atPaths('/accounts/:account_id/folio/stream'),
  alter(answer) {
    const { messages } = answer.body as Messages
    const other = { event: 'revision', pairs: { revision: 7 } }
    return { ...answer, body: { messages: [other, ...messages] } }
  },
})
