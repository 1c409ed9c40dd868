import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { count } from '../../../lib/scalars.js'
import { controlRoute, type Route } from '../../core/route.js'
import { eventSchema } from '../../openapi/schemas.js'
import { unknownAccount, walletOf } from './wallets.js'

const cursorError = 'must be the cursor of an event, an integer from 1 to 2^53-1'

const body = z
  .object({
    account_id: z
      .string({ error: 'must be the id of a sub-account' })
      .meta({ description: 'Whose event it is.' }),
    cursor: z
      .int({ error: cursorError })
      .min(1, { error: cursorError })
      .max(Number.MAX_SAFE_INTEGER, { error: cursorError })
      .meta({
        description:
          'Cursor of the event, from `event` of `GET /_sim/stream` or the notes of `GET /_sim/journal`.',
      }),
  })
  .meta({ id: 'EventAgain' })

export const eventAgainRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'repeatEvent',
    method: 'post',
    path: '/_sim/events/again',
    summary: 'Send an event again',
    description:
      'Delivers an unchanged event again under the next cursor, to waiting long polls and to later reads. A client that expects at-least-once delivery must not act on it twice. This also delivers an event that a fault has dropped. Nothing else changes, and a restart forgets it.',
    body: { schema: body },
    answer: {
      description: 'The event, and the cursor under which it was delivered.',
      schema: z.strictObject({ event: eventSchema, cursor: count }).meta({ id: 'SentAgain' }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'account_id or cursor is missing or malformed',
      },
      unknownAccount,
      {
        code: 'not_found',
        when: 'the account has no event with this cursor',
      },
    ],
    async handler({ deps, body: { account_id, cursor } }) {
      await walletOf(deps, { account_id })
      const delivered = await deps.control.sendAgain(account_id, cursor)
      if (!delivered)
        throw new ServiceError(
          'not_found',
          `The account ${account_id} has no event with cursor ${cursor}`,
          { hint: 'GET /_sim/journal shows the cursors of events in its notes of type event.' },
        )
      const { eventType, data, timestamp } = delivered
      return { event: { event_type: eventType, data, timestamp }, cursor: delivered.cursor }
    },
  }),
]
