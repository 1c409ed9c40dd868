import type { ServerResponse } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { answerTitle, type Journal, type Recording } from '../../observe/journal/journal.js'
import { createRedactor, type Redactor } from '../../observe/journal/redact.js'
import { answerKey, type Outcome } from '../../observe/metrics/answerCounts.js'
import {
  type FiredFault,
  inScope,
  type Note,
  type RequestScope,
} from '../../service/context/requestContext.js'
import type { Store } from '../../service/store/store.js'
import { ownSecrets } from '../core/apiKeys.js'
import { faultHeader, headerSafe, realDateHeader, requestIdHeader } from '../core/headers.js'
import { type HttpLog, type RequestLine, safely } from '../core/log.js'
import { repliedWith } from '../core/reply.js'
import { areaOf, isClick, isViewer, requestPath, requestUrl } from '../core/request.js'
import type { AppDeps } from '../core/types.js'

interface Records {
  journal: Journal
  log: HttpLog
}

/**
 * Gives each request its id and its scope, in which all that follows runs. When its response is out or cut, it is recorded in the journal, the
 * counts of answers and the log.
 */
export function recordRequests(
  { access, service: { ids, store }, records: { journal, coverage } }: AppDeps,
  log: HttpLog,
): RequestHandler {
  const records = { journal, log }
  const responded: Responded = (activityId, lost) =>
    void store
      .responded(activityId, lost)
      .catch((error) => log.error(`whether the response of ${activityId} arrived`, error))
  const redact = createRedactor(ownSecrets(access.keys, access.bind))
  return (req, res, next) => {
    req.ownUrl = req.url
    req.endpoint = areaOf(req.url)
    const requestId = ids.request()
    res.setHeader(requestIdHeader, requestId)
    const begunMs = log.request && performance.now()
    const isSeen = !isViewer(req)
    const scope = new RecordedScope(requestId, isSeen ? records : undefined, responded, req, res)
    // One listener: whatever fails in one of the three must not keep the others from their part.
    res.on('close', () => {
      safely(log, () => scope.end())
      if (isSeen && !isClick(req))
        safely(log, () => {
          const { method, route, status, code } = outcomeOf(req, res)
          const key = answerKey(method.toLowerCase(), route, status, code)
          coverage.set(key, (coverage.get(key) ?? 0) + 1)
        })
      if (begunMs !== undefined)
        safely(log, () => log.request?.(lineOf(req, res, { begunMs, redact })))
    })
    inScope(scope, next)
  }
}

/** Records what became of the response to an execution. */
type Responded = (...response: Parameters<Store['responded']>) => void

/** Request headers that help a reader and hold no secret. */
const recordedHeaders = ['content-type', 'content-length', 'user-agent', faultHeader]

/**
 * A request as the journal records it: from `begun` on or when it has ended, since a request that waits until earlier work is at rest begins
 * after that. A class, so that its functions are made once and not for every request.
 */
class RecordedScope implements RequestScope {
  private recording: Recording | undefined
  private fired: string[] | undefined
  private met: FiredFault[] | undefined
  /** The activity of the plan that the request has executed. */
  private executed: string | undefined
  private hasEnded = false
  private hasBody = false
  readonly requestId: string
  private readonly records: Records | undefined
  private readonly responded: Responded
  private readonly req: Request
  private readonly res: ServerResponse

  /** Without `records`, the journal and the counts omit the request. */
  constructor(
    requestId: string,
    records: Records | undefined,
    responded: Responded,
    req: Request,
    res: ServerResponse,
  ) {
    this.requestId = requestId
    this.records = records
    this.responded = responded
    this.req = req
    this.res = res
  }

  begun(): void {
    this.begin()
  }

  note(note: Note): void {
    if (note.type === 'fault' && 'effect' in note && !this.hasEnded)
      this.met = [...(this.met ?? []), note]
    if (note.type === 'activity') {
      this.executed = note.activity_id
      // A client may have gone before.
      if (this.hasEnded) this.respond(this.executed)
    }
    if (this.records) safely(this.records.log, () => this.begin()?.note(note))
  }

  cut(): void {
    if (!this.res.writableEnded) this.res.destroy()
  }

  faulted(ruleId: string): void {
    this.fired ??= []
    if (this.res.headersSent || this.fired.includes(ruleId)) return
    this.fired.push(ruleId)
    this.res.setHeader(faultHeader, headerSafe(this.fired.join(', ')))
  }

  private begin(): Recording | undefined {
    const { req, records, requestId } = this
    if (!records || this.recording || req.endpoint?.isUnjournaled) return this.recording
    const { method } = req
    const headers: Record<string, string> = {}
    for (const name of recordedHeaders)
      if (req.headers[name] !== undefined) headers[name] = String(req.headers[name])
    const request = { requestId, method, url: requestUrl(req), headers }
    this.recording = safely(records.log, () => records.journal.begin(request))
    // Before its end, too: it says what a request under way is about.
    safely(records.log, () => this.recordBody())
    return this.recording
  }

  private recordBody(): void {
    const { body } = this.req
    if (body === undefined || this.hasBody) return
    this.hasBody = true
    // Another app, in which this one is mounted, may have parsed it.
    this.recording?.sent(typeof body === 'object' ? JSON.stringify(body) : body)
  }

  /** Call when the response was sent, or can no longer be sent. */
  end(): void {
    const { res } = this
    this.hasEnded = true
    if (this.executed !== undefined) this.respond(this.executed)
    const recording = this.begin()
    if (!recording) return
    this.recordBody()
    recording.answered({
      status: res.statusCode,
      headers: shownHeaders(res),
      text: repliedWith(res)?.text,
      bytes: Number(res.getHeader('content-length') ?? 0),
      cut: !res.writableFinished,
    })
  }

  private respond(activityId: string): void {
    const { res, met = [] } = this
    const [status, cut] = [res.statusCode, !res.writableFinished]
    const isLost = cut || status >= 400
    const how = answerTitle({ cut, status, text: repliedWith(res)?.text })
    this.responded(activityId, isLost ? { how, faults: met } : undefined)
  }
}

/** Headers of the answer that are written down: our own, and what a client has to heed. The machine's time is another one in every run. */
function shownHeaders(res: ServerResponse): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name of res.getHeaderNames())
    if (name === 'retry-after' || (name.startsWith('x-svc-sim-') && name !== realDateHeader))
      shown[name] = String(res.getHeader(name))
  return shown
}

const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The outcome of a request whose response was sent, or can no longer be sent. */
function outcomeOf(req: Request, res: ServerResponse): Outcome {
  return {
    method: usualMethods.includes(req.method) ? req.method : 'OTHER',
    route: req.endpoint?.path ?? '(none)',
    status: res.headersSent ? res.statusCode : 0,
    code: res.writableFinished ? (repliedWith(res)?.code ?? '') : 'cut',
  }
}

/** The line of the log. Texts that a client has chosen are redacted. */
function lineOf(
  req: Request,
  res: ServerResponse,
  { begunMs, redact }: { begunMs: number; redact: Redactor },
): RequestLine {
  const { method, route, status, code } = outcomeOf(req, res)
  const line: RequestLine = {
    request_id: String(res.getHeader(requestIdHeader)),
    method,
    route,
    status,
    ms: Math.round((performance.now() - begunMs) * 10) / 10,
    path: redact(requestPath(req).slice(0, 200)),
    explained: !req.endpoint?.isUnjournaled,
  }
  const replied = repliedWith(res)
  // A fault rule can take it away.
  const { message } = JSON.parse(replied?.code === undefined ? '{}' : replied.text)
  if (typeof message === 'string') line.message = redact(message)
  if (code !== '') line.code = redact(code)
  // The parameters of the route are gone when it has thrown. Whatever else stands there was never the id of an account.
  const accountId = /^\/accounts\/(acc_[0-9A-Za-z]{12,32})(?:\/|$)/.exec(requestPath(req))?.[1]
  if (accountId !== undefined) line.account_id = redact(accountId)
  const faults = res.getHeader(faultHeader)
  if (faults !== undefined) line.faults = String(faults).split(', ').map(redact)
  return line
}
