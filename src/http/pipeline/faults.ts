import type { Request } from 'express'
import type { FaultFacts, RequestCall } from '../../faults/rules/effect.js'
import { addRequestFaults } from '../../faults/rules/requestFaults.js'
import { namesIn } from '../../service/plans/model/fields.js'
import { faultHeader } from '../core/headers.js'
import { breakOff } from '../core/reply.js'
import { requestSignal } from '../core/requestSignal.js'
import type { Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { type Answered, type FaultedRequest, withOtherAnswers } from './answerFaults.js'

/**
 * Runs a request to the service through the faults that there are for it, its own first.
 * Rejects with 400 `invalid_params` when the rule of its header will not do; nothing has happened then.
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

function factsOf({ planKind }: Route, req: Request, sent: unknown): FaultFacts {
  const { account_id } = req.params
  return {
    path: req.path,
    method: req.method,
    ...(account_id === undefined ? {} : { account_id: String(account_id) }),
    ...(planKind && {
      kind: planKind.kind,
      asset: namesIn('asset', planKind.schema, sent),
      network: namesIn('network', planKind.schema, sent),
    }),
  }
}
