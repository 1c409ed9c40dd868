import type { FaultFacts } from './effect.js'

/** A route as effects on answers know it. */
export interface AnswerRoute {
  /** In upper case. */
  method: string
  /** In Express' spelling: `/accounts/:account_id/folio`. */
  path: string
}

/** A request to the service; `proceed` gives what it answers. */
export interface AnswerCall {
  facts: FaultFacts
  route: AnswerRoute
  /** The prime account that asks. */
  primeId: string
  /** The body of the request as it came. */
  sent: unknown
  /** Whether the request was one for a part of a list. */
  isPart: boolean
  /** Names the fields of the request that the route does not know; undefined when it knows all. */
  strangers: string | undefined
}

/**
 * What a request is answered, or a message of a stream. Effects return another answer and leave this one as it is. `body` is
 * undefined where no answer comes at all.
 */
export interface Answer {
  status: number
  body: unknown
}
