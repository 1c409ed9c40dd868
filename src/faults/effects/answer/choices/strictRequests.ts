import { defineAnswer, refused } from '../defineAnswer.js'

/** What becomes of a field that the service does not know is not shown. */
export const strictRequests = defineAnswer({
  name: 'strict_requests',
  summary:
    'A request with an unknown field in body or query returns 400 `invalid_params`; nothing is done.',
  instead: ({ strangers }) =>
    strangers === undefined ? undefined : refused(400, 'invalid_params', strangers),
})
