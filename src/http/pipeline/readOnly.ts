import type { RequestHandler } from 'express'
import { ServiceError } from '../../lib/errors.js'

/** A trace is only read. */
export const refuseChanges: RequestHandler = (req, _res, next) => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return next()
  throw new ServiceError(
    'conflict',
    'This is a trace of a run that has ended: nothing can be changed in it',
    { hint: 'Start a simulator with "svc-sim start" and send the request there.' },
  )
}
