import { defineAnswer, refused } from '../defineAnswer.js'

/** What becomes of a field that the service does not know is not shown. */
export const strictRequests = defineAnswer({
  name: 'strict_requests',
  summary:
    'A request with a field that the endpoint does not know, in body or query, is 400 `invalid_params`; nothing is done.',
  instead: ({ strangers }) =>
    strangers === undefined ? undefined : refused(400, 'invalid_params', strangers),
})
