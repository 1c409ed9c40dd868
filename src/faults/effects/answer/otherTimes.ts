import { z } from 'zod'
import { defineAnswer } from './defineAnswer.js'
import { mapTexts } from './json.js'

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const hoursEast = 2

const forms = {
  milliseconds: (at: Date) => at.toISOString(),
  offset: (at: Date) =>
    new Date(at.getTime() + hoursEast * 3_600_000)
      .toISOString()
      .replace(/(\.\d+)?Z$/, `+0${hoursEast}:00`),
}

/** The same instants, written as ISO 8601 allows as well. Events have Unix seconds, which stay. */
export const otherTimes = defineAnswer({
  name: 'other_times',
  summary:
    'Every ISO 8601 timestamp is the same instant in another form: with milliseconds (`2026-01-01T00:02:00.000Z`), or with an offset (`2026-01-01T02:02:00+02:00`).',
  settings: z.strictObject({ form: z.enum(['milliseconds', 'offset']).default('milliseconds') }),
  alter: (answer, _, { form }) => ({
    ...answer,
    body: mapTexts(answer.body, (text) => (utc.test(text) ? forms[form](new Date(text)) : text)),
  }),
})
