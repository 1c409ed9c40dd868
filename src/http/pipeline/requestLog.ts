import type { RequestHandler, Response } from 'express'
import { redacted } from '../core/apiKeys.js'
import { faultHeader, requestIdHeader } from '../core/headers.js'
import { type RequestLine, safely } from '../core/log.js'
import { repliedWith } from '../core/reply.js'
import type { AppDeps } from '../core/types.js'
import { outcomeOf } from './coverage.js'
import { isJournaled } from './envelope.js'

/** Tells the log of every request, when its answer is out or never will be. */
export function logRequests(deps: AppDeps, log: (line: RequestLine) => void): RequestHandler {
  return (req, res, next) => {
    const begun = performance.now()
    const write = (): void => {
      const { method, route, status, code } = outcomeOf(req, res)
      // The parameters of the route are gone when it has thrown. Whatever else stands there was never the id of an account.
      const [, account_id] = /^\/accounts\/(acc_[0-9A-Za-z]{12,32})(?:\/|$)/.exec(req.path) ?? []
      const faults = res.getHeader(faultHeader)
      const line: RequestLine = {
        request_id: String(res.getHeader(requestIdHeader)),
        method,
        route,
        status,
        ms: Math.round((performance.now() - begun) * 10) / 10,
        path: req.originalUrl.split('?')[0]!.slice(0, 200),
        explained: isJournaled(req.path),
        ...messageOf(res),
        ...(code === '' ? {} : { code }),
        ...(account_id === undefined ? {} : { account_id }),
        ...(faults === undefined ? {} : { faults: String(faults).split(', ') }),
      }
      log(redacted(deps, line))
    }
    res.once('close', () => safely(deps.records.log, write))
    next()
  }
}

/** What an error says in its answer. */
function messageOf(res: Response): Pick<RequestLine, 'message'> {
  const replied = repliedWith(res)
  if (replied?.code === undefined) return {}
  return { message: (JSON.parse(replied.text) as { message: string }).message }
}
