import { z } from 'zod'
import { type ProblemCode, problems, ServiceError } from '../../lib/errors.js'
import { defineEffect, type Effect, pastRule } from '../rules/effect.js'
import { msField, waitOrGone } from './settings.js'

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

/** What a load balancer returns while no server is behind it. */
class OutageError extends ServiceError {
  override name = 'OutageError'
  override get status(): number {
    return 503
  }
}

/** Faults of a request to the service, once its key and the syntax of its body are known to be good. */
export const requestEffects: readonly Effect[] = [
  defineEffect({
    on: 'request',
    name: 'latency',
    lasts: 'holds',
    summary:
      'The request waits `ms` milliseconds of the clock before anything is done. With a frozen clock, it waits until the clock is advanced. Removing the rule ends the wait.',
    settings: z.strictObject({ ms: msField }),
    outcome: ({ ms }) => ({ text: `delayed the request by ${ms} ms of the clock` }),
    async apply({ ms }, call, proceed, { rule, wait }) {
      await waitOrGone(wait, ms / 1000, [rule.signal, call.signal])
      return proceed()
    },
  }),
  defineEffect({
    on: 'request',
    name: 'hang',
    lasts: 'holds',
    summary:
      'Nothing is done and no response comes until the client gives up. Removing the rule cuts the connection.',
    outcome: () => ({ text: 'left the request without a response' }),
    async apply(_, call, _proceed, { rule, wait }) {
      await waitOrGone(wait, undefined, [rule.signal, call.signal])
      call.cut()
      return undefined
    },
  }),
  /** With `done` the answer is a lie of the kind that makes clients pay twice. */
  defineEffect({
    on: 'request',
    name: 'respond',
    summary:
      'Returns the error `error` with its own status, and nothing is done. With `done`, the request is carried out first, as when a service breaks after its transaction has landed. A rule with a path, kind or method may only use errors that a matching route documents.',
    synthetic: 'the table below has a cause of each error',
    settings: z.strictObject({
      error: z.enum(codes),
      message: z.string().max(500).optional(),
      done: z.boolean().optional(),
    }),
    outcome: ({ error, done }) => ({
      text: `returned ${error} ${done ? 'after the request was carried out' : 'instead'}`,
      ...(done && { isDone: true }),
    }),
    firesLater: true,
    async apply({ error, message, done }, _, proceed, { rule, fired }) {
      if (done) await proceed()
      fired()
      throw new ServiceError(error, message ?? 'Forced by a fault rule', {
        hint: `Fault rule ${rule.id} (request.respond) returned this error ${done ? 'after the request was carried out. Look for what it did before you send it again.' : `instead of handling the request. ${pastRule(rule)}`}`,
      })
    },
  }),
  defineEffect({
    on: 'request',
    name: 'reset_before',
    summary: 'The connection is cut before the request is carried out.',
    outcome: () => ({ text: 'cut the connection before the request was carried out' }),
    async apply(_, call) {
      call.cut()
      return undefined
    },
  }),
  /** A client cannot tell it from `reset_before`. */
  defineEffect({
    on: 'request',
    name: 'reset_after',
    summary: 'The request is carried out, and the connection is cut without a response.',
    outcome: () => ({ text: 'cut the connection after the request was carried out' }),
    async apply(_, call, proceed) {
      try {
        return await proceed()
      } finally {
        call.cut()
      }
    },
  }),
  defineEffect({
    on: 'request',
    name: 'truncate',
    summary:
      'The request is carried out. The response head and the first half of its body arrive, then the connection is cut.',
    outcome: () => ({ text: 'cut the response in the middle' }),
    apply(_, call, proceed) {
      call.truncate()
      return proceed()
    },
  }),
  /** Too many requests. interface.md shows no limits, so status, code and header are ours, in their usual form. */
  defineEffect({
    on: 'request',
    name: 'rate_limit',
    summary: '429 `rate_limited` with the header `retry-after: <seconds>`; nothing is done.',
    synthetic: 'the simulator itself has no limits',
    settings: z.strictObject({ retry_after: z.int().min(0).max(86_400).default(1) }),
    outcome: () => ({ text: 'returned 429 instead' }),
    async apply({ retry_after }, call, _proceed, { rule }) {
      call.header('retry-after', String(retry_after))
      const when = retry_after === 0 ? 'now' : `in ${retry_after} s`
      throw new ServiceError('rate_limited', `Too many requests; try again ${when}`, {
        hint: `Fault rule ${rule.id} (request.rate_limit) returned this error instead of handling the request. Wait ${retry_after} s, as the header retry-after says, and send it again.`,
      })
    },
  }),
  /** The first request begins it, so that it lasts equally long at any point of a client's run. */
  defineEffect({
    on: 'request',
    name: 'outage',
    summary:
      'For `ms` milliseconds from the first request that it meets, every request returns 503, and nothing is done. Real time counts, and time of the clock if that is ahead. Then it is over, and the rule stays listed.',
    synthetic: 'a load balancer returns 503 while the service is away',
    settings: z.strictObject({ ms: msField }),
    outcome: ({ ms }) => ({ text: `returned 503 for ${ms} ms` }),
    firesForMs: ({ ms }) => ms,
    async apply({ ms }, _call, _proceed, { rule }) {
      throw new OutageError('internal_error', 'The service is unavailable', {
        hint: `Fault rule ${rule.id} (request.outage) returned this error instead of handling the request. Send it again with pauses that grow, for more than ${ms / 1000} s in all. ${pastRule(rule)}`,
      })
    },
  }),
  /** The moment at which a client dies: it has sent a request and never learns what came of it. */
  defineEffect({
    on: 'request',
    name: 'crash',
    lasts: 'holds',
    summary:
      'No response comes, as at `hang`; with `done`, the request is carried out first. `svc-sim swarm` and `svc-sim exec --scenario` then kill their command and run it again.',
    settings: z.strictObject({ done: z.boolean().optional() }),
    outcome: ({ done }) => ({
      text: `left the request without a response${done ? ' after it was carried out' : ''}`,
      ...(done && { isDone: true }),
    }),
    firesLater: true,
    async apply({ done }, call, proceed, { rule, wait, fired }) {
      if (done) await proceed()
      fired()
      await waitOrGone(wait, undefined, [rule.signal, call.signal])
      call.cut()
      return undefined
    },
  }),
]
