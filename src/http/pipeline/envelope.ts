import type { Request, RequestHandler, Response } from 'express'
import type { Ids } from '../../lib/ids.js'
import type { Journal, Recording } from '../../observe/journal/journal.js'
import type { Note } from '../../service/context/notes.js'
import { inScope } from '../../service/context/requestContext.js'
import type { Clock } from '../../time/clock.js'
import {
  faultHeader,
  headerSafe,
  isViewer,
  realDateHeader,
  requestIdHeader,
} from '../core/headers.js'
import { type HttpLog, safely } from '../core/log.js'
import { repliedWith } from '../core/reply.js'

/** Gives every answer its request id, and all that is done for the request its scope; the journal writes it down. */
export function envelope(
  ids: Pick<Ids, 'request'>,
  journal: Journal,
  log: HttpLog,
): RequestHandler {
  return (req, res, next) => {
    const requestId = ids.request()
    res.setHeader(requestIdHeader, requestId)
    const isRecorded = isJournaled(req.path) && !isViewer(req)
    const recording = isRecorded
      ? createRecording({ journal, log, requestId }, req, res)
      : undefined
    const cut = (): void => {
      if (!res.writableEnded) res.destroy()
    }
    const fired: string[] = []
    const faulted = (ruleId: string): void => {
      if (res.headersSent || fired.includes(ruleId)) return
      fired.push(ruleId)
      res.setHeader(faultHeader, headerSafe(fired.join(', ')))
    }
    const begun = (): void => void recording?.()
    const note = (entry: Note): void => void safely(log, () => recording?.()?.note(entry))
    inScope({ requestId, begun, note, cut, faulted }, next)
  }
}

/** The service and the control API; not what is looked at over and over, nor JSON-RPC, nor what is asked of other worlds. */
export function isJournaled(path: string): boolean {
  return !/^\/(rpc|docs|health|metrics|openapi|_sim\/(journal|stream|why|coverage|openapi|worlds|overview|connect|effects|accounts|trace|ui|docs|mcp)|worlds)|^\/_sim\/?$/.test(
    path,
  )
}

/** Headers of answers that are written down: our own, and what a client has to heed. */
const shownHeader = /^(x-svc-sim-|retry-after$)/

/** Request headers that tell something and are no secret. */
const recordedHeaders = ['content-type', 'content-length', 'user-agent', faultHeader]

/**
 * How the request is written down, from the first call on or when it has ended: one that waits until what is under way has come to
 * rest begins behind that.
 */
function createRecording(
  { journal, log, requestId }: { journal: Journal; log: HttpLog; requestId: string },
  req: Request,
  res: Response,
): () => Recording | undefined {
  const kept = recordedHeaders.flatMap((name) => {
    const value = req.headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const { method, originalUrl: url } = req
  const headers = Object.fromEntries(kept)
  let recording: Recording | undefined
  const begin = (): Recording | undefined => {
    recording ??= safely(log, () => journal.begin({ requestId, method, url, headers }))
    return recording
  }
  const end = (recording: Recording): void => {
    recording.sent(typeof req.body === 'string' ? req.body : undefined)
    // The machine's time is another one in every run.
    const ours = res
      .getHeaderNames()
      .filter((name) => shownHeader.test(name) && name !== realDateHeader)
    recording.answered({
      status: res.statusCode,
      headers: Object.fromEntries(ours.map((name) => [name, String(res.getHeader(name))])),
      text: repliedWith(res)?.text,
      bytes: Number(res.getHeader('content-length') ?? 0),
      cut: !res.writableFinished,
    })
  }
  res.once('close', () => {
    const begun = begin()
    if (begun) safely(log, () => end(begun))
  })
  return begin
}

/** Files of ours, which browsers keep by their own clock. */
const isFile = /^\/(docs|_sim\/ui)(\/|$)/

/**
 * `Date` has the time of the clock when the answer begins, so that a client that corrects its own clock by it agrees with what the service
 * says of times; the machine's has a header of its own.
 */
export function dates(clock: Clock): RequestHandler {
  return (req, res, next) => {
    if (isFile.test(req.path)) return next()
    const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => typeof res
    res.writeHead = (...args: unknown[]) => {
      res.setHeader('date', new Date(clock.now()).toUTCString())
      res.setHeader(realDateHeader, new Date().toUTCString())
      return writeHead(...args)
    }
    next()
  }
}
