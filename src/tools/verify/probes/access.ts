import type { Step } from '../../../clients/scenarios/schema.js'
import type { Documented } from '../documented.js'
import { cellName } from '../documented.js'
import type { Probe } from '../probe.js'
import {
  chosen,
  nobody,
  noPlan,
  type ProbeSource,
  planEndpoints,
  probesFor,
  probesOn,
  published,
  shown,
} from './define.js'
import { type Expected, sends } from './steps.js'

/** What every endpoint that takes a key answers without one, with a wrong one, and for an account that is not there. */
export function accessProbes({ cells }: Documented): Probe[] {
  const refused = (
    answer: Expected,
    how: string,
    more: { key?: string | null },
    from: (cell: string, path: string) => ProbeSource,
  ) =>
    probesFor(
      cells.filter(({ code }) => code === answer.error),
      (cell) => [
        `${cell.method} ${cell.path} ${how} is refused`,
        { from: from(cellName(cell), cell.path), steps: [requestFor(cell, more, answer)] },
      ],
    )
  const authentication = (cell: string) => published('authentication', cell)
  const noKey = { status: 401, error: 'missing_auth_header' } as const
  const wrongKey = { status: 401, error: 'invalid_api_key' } as const
  const noAccount = { status: 404, error: 'account_not_found' } as const
  return probesOn('codes', {
    ...refused(noKey, 'without a key', { key: null }, authentication),
    ...refused(wrongKey, 'with an unknown key', { key: stranger }, authentication),
    ...refused(noAccount, 'of an account that is not there', {}, (cell, path) => {
      if (/\/(folio|events)$/.test(path)) return shown('Errors', cell)
      return path.includes('/plan/')
        ? chosen('Unknown account on plan endpoints and execute', cell)
        : published('an account that is not there', cell)
    }),
  })
}

const stranger = 'qk_nobody_00000000000000000000'

/** A well-formed request for an account that does not exist. */
function requestFor(
  { method, path }: { method: string; path: string },
  more: { key?: string | null },
  answer: Expected,
): Step {
  const values: Record<string, string> = { account_id: nobody, activity_id: 'act_000000000000' }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  if (method !== 'POST') return sends('GET', filled, more, answer)
  return sends('POST', filled, { body: bodyFor(path.split('/plan/')[1]), ...more }, answer)
}

function bodyFor(kind: string | undefined): Record<string, unknown> {
  if (kind === undefined) return { signer_type: 'eoa', signer_address: `0x${'11'.repeat(20)}` }
  if (kind === 'execute') return { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` }
  return planEndpoints.find((each) => each.kind === kind)?.example ?? {}
}
