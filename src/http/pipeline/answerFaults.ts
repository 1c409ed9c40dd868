import type { Request, Response } from 'express'
import type { Answer, AnswerCall, FaultFacts } from '../../faults/rules/effect.js'
import { ServiceError } from '../../lib/errors.js'
import { addHint } from '../core/headers.js'
import type { Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { strangersIn } from './validation.js'

/** A request as faults see it: `sent` is its body as it came. */
export interface FaultedRequest {
  req: Request
  res: Response
  sent: unknown
  primeId: string
}

/** What goes out: the body that the handler gave, or with a status another answer, which a rule has made of it. */
export interface Answered {
  body: unknown
  status?: number
}

/** Runs a request, all other faults included, through the seam `answer`. A refusal that no rule has changed is thrown as it was. */
export async function withOtherAnswers(
  route: Route,
  { faults }: AppDeps,
  facts: FaultFacts,
  { req, res, sent, primeId }: FaultedRequest,
  work: () => Promise<unknown>,
): Promise<Answered> {
  let usual: Answer | undefined
  let refusal: ServiceError | undefined
  const call: AnswerCall = {
    facts,
    route: { method: req.method, path: route.path },
    primeId,
    sent,
    isPart: req.query.limit !== undefined,
    strangers: strangersIn(route, req.query, sent)[0],
  }
  const answer = await faults.seams.intercept('answer', call, async () => {
    try {
      usual = { status: 0, body: await work() }
      // What was cut, or is out already, is no answer that could be another.
      if (res.destroyed || res.headersSent) usual.body = undefined
      usual.status = res.statusCode
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refusal = error
      const { code, message, status } = error
      usual = { status, body: { error: code, message } }
    }
    return usual
  })
  if (answer !== usual) {
    if (refusal?.hint) addHint(res, refusal.hint)
    return answer
  }
  if (refusal) throw refusal
  return { body: answer.body }
}

/** A message of the folio stream. */
export interface FolioMessage {
  event: string
  pairs: unknown
}

/** What is written to a stream instead of a message: each goes through the seam `answer` by itself. */
export async function otherMessages(
  { faults }: AppDeps,
  { req, primeId, path }: { req: Request; primeId: string; path: string },
  message: FolioMessage,
): Promise<readonly FolioMessage[]> {
  if (!faults.seams.hasRules) return [message]
  const facts = { path: req.path, method: req.method, account_id: String(req.params.account_id) }
  const call: AnswerCall = {
    facts,
    route: { method: req.method, path },
    primeId,
    sent: undefined,
    isPart: false,
    strangers: undefined,
  }
  const usual: Answer = { status: 200, body: { messages: [message] } }
  const { body } = await faults.seams.intercept('answer', call, async () => usual)
  return (body as { messages: readonly FolioMessage[] }).messages
}
