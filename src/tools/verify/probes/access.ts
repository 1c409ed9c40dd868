import { type ProbeStep, sends } from '../corpus/steps.js'
import type { Documented } from '../documented.js'
import { cellName } from '../documented.js'
import type { Probe } from '../probe.js'
import { chosen, nobody, planEndpoints, probeOn, published, shown } from './define.js'

const probe = probeOn('codes')

/** What every endpoint that takes a key answers without one, with a wrong one, and for an account that is not there. */
export function accessProbes({ cells }: Documented): Probe[] {
  const withCode = (code: string) => cells.filter((cell) => cell.code === code)
  return [
    ...withCode('missing_auth_header').map((cell) =>
      probe({
        name: `${cell.method} ${cell.path} without a key is refused`,
        cells: [cellName(cell)],
        from: published('authentication'),
        steps: [requestFor(cell, { key: null }, { status: 401, code: 'missing_auth_header' })],
      }),
    ),
    ...withCode('invalid_api_key').map((cell) =>
      probe({
        name: `${cell.method} ${cell.path} with an unknown key is refused`,
        cells: [cellName(cell)],
        from: published('authentication'),
        steps: [requestFor(cell, { key: stranger }, { status: 401, code: 'invalid_api_key' })],
      }),
    ),
    ...withCode('account_not_found').map((cell) =>
      probe({
        name: `${cell.method} ${cell.path} of an account that is not there is refused`,
        cells: [cellName(cell)],
        from: /\/(folio|events)$/.test(cell.path)
          ? shown('Errors')
          : isPlanPath(cell.path)
            ? chosen('Unknown account on plan endpoints and execute')
            : published('an account that is not there'),
        steps: [requestFor(cell, {}, { status: 404, code: 'account_not_found' })],
      }),
    ),
  ]
}

const isPlanPath = (path: string): boolean => path.includes('/plan/')

/** A key that nobody has. */
const stranger = 'qk_nobody_00000000000000000000'

/** A request to an endpoint that is well formed, of an account that is not there. */
function requestFor(
  { method, path }: { method: string; path: string },
  more: { key?: string | null },
  answer: { status: number; code: string },
): ProbeStep {
  const values: Record<string, string> = { account_id: nobody, activity_id: 'act_000000000000' }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  if (method !== 'POST') return sends(method, filled, more, answer)
  return sends(method, filled, { body: bodyFor(path.split('/plan/')[1]), ...more }, answer)
}

function bodyFor(kind: string | undefined): Record<string, unknown> {
  if (kind === undefined) return { signer_type: 'eoa', signer_address: `0x${'11'.repeat(20)}` }
  if (kind === 'execute') return { plan_id: 'pln_000000000000', signature: `0x${'11'.repeat(65)}` }
  return planEndpoints.find((each) => each.kind === kind)?.example ?? {}
}
