import openapiFetch from 'openapi-fetch'

/** Makes a client of `openapi-fetch`. In CommonJS, as the command line is bundled, the function is in `default` of the module. */
export const createFetchClient =
  (openapiFetch as typeof openapiFetch & { default?: typeof openapiFetch }).default ?? openapiFetch
