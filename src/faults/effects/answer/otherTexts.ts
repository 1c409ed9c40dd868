import { defineAnswer, errorOf } from './defineAnswer.js'

/** The code of an error is for programs, its message for people. */
export const otherTexts = defineAnswer({
  name: 'other_texts',
  summary:
    'The `message` of an error is another one, which names neither fields nor values; code and status stay. Other answers stay as they are.',
  alter: (answer) =>
    errorOf(answer) === undefined
      ? answer
      : {
          ...answer,
          body: { ...(answer.body as object), message: 'We could not process this request.' },
        },
})
