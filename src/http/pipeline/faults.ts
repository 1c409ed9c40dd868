import type { ServerResponse } from 'node:http'
import type { Request } from 'express'
import { addRequestFaults } from '../../faults/engine/seams.js'
import type { Answer, AnswerCall, FaultFacts, RequestCall } from '../../faults/rules/effect.js'
import { ServiceError } from '../../lib/errors.js'
import { namesIn } from '../../service/plans/model/fields.js'
import { addHint, faultHeader } from '../core/headers.js'
import { breakOff } from '../core/reply.js'
import { requestSignal } from '../core/request.js'
import type { Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { strangersIn } from './validation.js'

/**
 * Runs a request through the fault rules, its own first. Rejects with 400 `invalid_params`, before anything has happened, when the rule of its
 * header is invalid.
 */
export async function withFaults(
  route: Route,
  deps: AppDeps,
  request: FaultedRequest,
  work: () => Promise<unknown>,
): Promise<Answered> {
  const { faults } = deps
  const { req, res, sent } = request
  const header = req.headers[faultHeader]
  if (header !== undefined) {
    const release = await faults.addForRequest(String(header))
    res.once(
      'close',
      () => void release().catch((error) => deps.records.log.error('a fault', error)),
    )
  }
  if (!faults.seams.hasRules) return { body: await work() }
  const facts = factsOf(route, req, sent)
  addRequestFaults({ facts })
  let left: ReturnType<typeof requestSignal> | undefined
  const call: RequestCall = {
    facts,
    // Made for the effect that asks for it: most requests meet none.
    get signal() {
      left ??= requestSignal(res, deps.timing.stopping, deps.timing.lock)
      return left.signal
    },
    cut: () => res.destroy(),
    truncate: () => breakOff(res),
    header: (name, value) => void res.setHeader(name, value),
  }
  try {
    const inner = () => faults.seams.intercept('request', call, work)
    // The messages of a stream go through the seam `answer` one by one.
    if (isStream(route)) return { body: await inner() }
    return await withOtherAnswers(route, deps, facts, request, inner)
  } finally {
    left?.release()
  }
}

function isStream({ answers: [{ contentType }] }: Route): boolean {
  return contentType === 'text/event-stream'
}

function factsOf({ planKind, path }: Route, req: Request, sent: unknown): FaultFacts {
  const { account_id } = req.params
  return {
    path: pathOf(path, req),
    method: req.method,
    ...(account_id === undefined ? {} : { account_id: String(account_id) }),
    ...(planKind && {
      kind: planKind.kind,
      asset: namesIn('asset', planKind.schema, sent),
      network: namesIn('network', planKind.schema, sent),
    }),
  }
}

/** The path of a request as its route spells it, whatever the client's spelling: without a slash at the end, and decoded. */
function pathOf(path: string, { params }: Request): string {
  return path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
}

/** A request as faults see it: `sent` is its body as it came. */
export interface FaultedRequest {
  req: Request
  res: ServerResponse
  sent: unknown
  primeId: string
}

/** The response: the handler's body, or with a status another one, which a rule has made of it. */
export interface Answered {
  body: unknown
  status?: number
}

/** Runs a request, all other faults included, through the seam `answer`. A refusal that no rule has changed is thrown as it was. */
async function withOtherAnswers(
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
      // An answer that was cut or sent already cannot be replaced.
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

export interface FolioMessage {
  event: string
  pairs: unknown
}

/** What is written to a stream instead of a message: each passes the seam `answer` separately. */
export async function otherMessages(
  { faults }: AppDeps,
  { req, primeId, path }: { req: Request; primeId: string; path: string },
  message: FolioMessage,
): Promise<readonly FolioMessage[]> {
  if (!faults.seams.hasRules) return [message]
  const facts = {
    path: pathOf(path, req),
    method: req.method,
    account_id: String(req.params.account_id),
  }
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
