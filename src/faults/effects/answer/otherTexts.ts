import { defineAnswer, errorOf } from './defineAnswer.js'

/** The code of an error is for programs, its message for people. */
export const otherTexts = defineAnswer({
  name: 'other_texts',
  summary:
    'The `message` of an error is a different one, without fields or values; code and status stay. Other responses do not change.',
  alter: (answer) =>
    errorOf(answer) === undefined
      ? answer
      : {
          ...answer,
          body: { ...(answer.body as object), message: 'We could not process this request.' },
        },
})
