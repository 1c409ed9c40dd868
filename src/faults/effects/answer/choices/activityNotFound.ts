import { defineAnswer, errorOf, messageOf, refused } from '../defineAnswer.js'

/** Errors of `GET /activities/:id` are not shown; accounts and plans have a code of their own. */
export const activityNotFound = defineAnswer({
  name: 'activity_not_found',
  summary: 'An unknown activity returns 404 `activity_not_found` instead of `not_found`.',
  at: ({ path }) => path.includes('/activities/'),
  alter: (answer) =>
    errorOf(answer) === 'not_found'
      ? refused(404, 'activity_not_found', messageOf(answer))
      : answer,
})
