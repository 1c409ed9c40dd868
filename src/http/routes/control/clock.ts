import { z } from 'zod'
import type { Time } from '../../../control/time.js'
import { unixMilliseconds } from '../../../lib/scalars.js'
import { clockModes, longestAdvance } from '../../../time/clock.js'
import { requestSignal } from '../../core/request.js'
import { controlRoute, type ErrorCase, type Route } from '../../core/route.js'

export const clockSchema = z
  .strictObject({
    now: z.string().meta({ format: 'date-time' }),
    unix_ms: unixMilliseconds.meta({
      description: 'The same in milliseconds since the Unix epoch.',
    }),
    mode: z.enum(clockModes),
  })
  .meta({ id: 'Clock' })

const answer = {
  description: 'The resulting time. Everything due by then has happened, on all chains.',
  schema: clockSchema,
}

const secondsError = 'must be a number of seconds, 0 or more, such as 121 or 0.5'
const secondsBody = (description: string) =>
  z.object({
    seconds: z
      .number({ error: secondsError })
      .min(0, { error: secondsError })
      .meta({ maximum: longestAdvance / 1000, description }),
  })
const advanceBody = secondsBody(
  'Seconds to advance; 0 only waits for work under way. At most a hundred years.',
).meta({ id: 'Advance' })
const waitBody = secondsBody('Seconds of the clock to wait for. At most a hundred years.').meta({
  id: 'ClockWait',
})

const atError = 'must be an ISO 8601 instant with a zone, such as "2026-01-01T00:00:00Z"'
const freezeBody = z
  .object({
    at: z.iso
      .datetime({ offset: true, error: atError })
      .transform((text) => Date.parse(text))
      .meta({
        description: 'The instant to stop at; now when absent. Not before the latest block.',
      })
      .optional(),
  })
  .meta({ id: 'Freeze' })

const badSeconds: ErrorCase = {
  code: 'invalid_params',
  when: 'seconds is malformed or out of range',
}

const badInstant: ErrorCase = {
  code: 'invalid_params',
  when: 'at is malformed or before the latest block',
}

const busy: ErrorCase = {
  code: 'conflict',
  when: 'work under way does not end because a fault holds it; the clock has not moved',
}

/** The one clock: of the API, of everything that waits, and of the five chains. */
export const clockRoutes: readonly Route[] = [
  controlRoute({
    answer,
    operationId: 'getClock',
    method: 'get',
    settles: 'briefly',
    path: '/_sim/clock',
    summary: 'Read the clock',
    description: 'The API and all chains share this clock.',
    handler: ({ deps }) => clockWire(deps.control.timekeeper.time()),
  }),
  controlRoute({
    answer,
    operationId: 'advanceClock',
    method: 'post',
    path: '/_sim/clock/advance',
    summary: 'Advance the clock',
    description:
      'Advances from one due moment to the next. Returns when everything due has happened: plans have expired, interest has accrued, bridges have delivered, events are out, and long polls have returned.',
    body: { schema: advanceBody },
    errors: [badSeconds, busy],
    handler: async ({ deps, body }) =>
      clockWire(await deps.control.timekeeper.advance(body.seconds)),
  }),
  controlRoute({
    answer,
    operationId: 'freezeClock',
    method: 'post',
    path: '/_sim/clock/freeze',
    summary: 'Freeze the clock',
    description:
      'Freezes the clock now or at an instant. All blocks mined from then on have the same timestamp.',
    body: { schema: freezeBody, absent: {} },
    errors: [badInstant, busy],
    handler: async ({ deps, body }) => clockWire(await deps.control.timekeeper.freeze(body.at)),
  }),
  controlRoute({
    answer,
    operationId: 'resumeClock',
    method: 'post',
    path: '/_sim/clock/resume',
    summary: 'Resume the clock',
    description: 'Resumes the clock from its current time. A running clock is not changed.',
    handler: async ({ deps }) => clockWire(await deps.control.timekeeper.resume()),
  }),
  controlRoute({
    answer,
    operationId: 'skipClock',
    method: 'post',
    settles: 'wholly',
    path: '/_sim/clock/auto',
    summary: 'Let the clock skip waiting times',
    description:
      'From now on the clock is frozen while anything is computed. Once everything waits, it jumps to the next awaited moment: a bridge fill or refund, a delayed event, or the end of a latency fault or long poll. The expiry of a plan does not count. The first read after an execution shows what is true then; later requests wait until nothing more is due. The call itself skips everything that is due, even if plans expire.',
    errors: [busy],
    handler: async ({ deps }) => clockWire(await deps.control.timekeeper.auto()),
  }),
  controlRoute({
    answer,
    operationId: 'waitForClock',
    method: 'post',
    locks: 'handler',
    path: '/_sim/clock/wait',
    summary: 'Wait by the clock',
    description:
      'Returns when this much time has passed on the clock. Use it for the pauses of a client, so that an `auto` clock skips them. On a frozen clock it returns when the clock has been moved that far. It returns early when the state is reset or restored, or when the simulator stops.',
    body: { schema: waitBody },
    errors: [badSeconds],
    async handler({ deps, body, res }) {
      const { timekeeper } = deps.control
      const end = requestSignal(res, deps.timing.stopping, deps.timing.lock)
      try {
        return clockWire(await timekeeper.wait(body.seconds, end.signal))
      } catch (error) {
        if (!end.signal.aborted) throw error
        return clockWire(timekeeper.time())
      } finally {
        end.release()
      }
    },
  }),
]

export function clockWire({ now, ms, mode }: Time): z.infer<typeof clockSchema> {
  return { now, unix_ms: ms, mode }
}
