import { defineAnswer } from '../defineAnswer.js'
import { mapObjects } from '../json.js'

/** Published samples have the `id` of an activity as an integer and as text. */
export const activityIdText = defineAnswer({
  name: 'activity_id_text',
  summary: 'The `id` of an activity is its `act_` text instead of an integer.',
  at: ({ path }) => path.includes('/activities'),
  alter: (answer) => ({
    ...answer,
    body: mapObjects(answer.body, (object) =>
      'activity_id' in object && 'id' in object ? { ...object, id: object.activity_id } : object,
    ),
  }),
})
