import { defineAnswer } from './defineAnswer.js'
import { isTable, mapObjects } from './json.js'

/** A later version of the service: its objects have more fields. */
export const unknownFields = defineAnswer({
  name: 'unknown_fields',
  summary:
    'Every object of the response, errors and messages of the folio stream included, has an extra field `added_later`, an object. Tables whose keys are data (assets, networks of an asset, sections of the folio) get no extra key.',
  alter: (answer) => ({
    ...answer,
    body: mapObjects(answer.body, (object, place) =>
      isTable(object, place) ? object : { ...object, added_later: { since: 'a later version' } },
    ),
  }),
})
