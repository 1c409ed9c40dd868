import type { RequestHandler } from 'express'
import type { Clock } from '../../time/clock.js'
import { realDateHeader } from '../core/headers.js'

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
