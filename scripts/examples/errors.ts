import { errorCases, type Route } from '../../src/http/core/route.js'
import { createSimulator } from '../../src/index.js'
import type { ProblemCode } from '../../src/lib/errors.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { keys, startHttpWorld } from '../../test/kit/httpWorld.js'
import { causesOf } from './causes.js'
import { direct } from './direct.js'
import { allRoutes, bearer, type Call, filled, recordOf, send } from './recorder.js'
import { openUser, type User } from './user.js'

/** The error texts: every error that a document shows is caused, at each operation that shows it. */

/** Asks a route wrongly; resolves to the answer. */
export type Cause = (route: Route) => Promise<{ body: { error: string; message: string } }>

export type Places = Awaited<ReturnType<typeof openPlaces>>

/** Where errors are caused: a simulator, one beyond loopback, and one in which every request fails unforeseen. */
async function openPlaces() {
  const sim = await createSimulator({
    seed: 42,
    clock: 'frozen@2026-01-05T09:00:00Z',
    revokedApiKeys: [keys.revoked.key],
  })
  const service = { planKinds }
  const bind = { host: '0.0.0.0', controlToken: 'token', allowedHosts: [], corsOrigins: [] }
  const guarded = await startHttpWorld({ service, access: { bind } })
  const settled = () => Promise.reject(new Error('a defect'))
  const broken = await startHttpWorld({ service, timing: { settled } })
  return { sim, guarded, broken, poor: await openUser(sim, 1), rich: await richUser(sim) }
}

async function richUser(sim: Parameters<typeof openUser>[0]): Promise<User> {
  const user = await openUser(sim, 2)
  await user.fund('2000000000')
  const body = { asset: 'USDC', amount: '1000000000', network: 'base', protocol: 'compound' }
  await user.run('earn', body)
  // Rewards are owed by then.
  await sim.clock.advance(86_400)
  return user
}

export async function recordErrors(): Promise<void> {
  const slow = direct()
  const places = await openPlaces()
  try {
    const own = causesOf(places)
    const common = commonCauses(places)
    const wrong: string[] = []
    for (const route of allRoutes)
      for (const { code } of errorCases(route)) {
        const cause = own(route, code) ?? common[code]
        if (!cause) continue
        const { body } = await cause(route)
        if (body.error === code) recordOf(route.operationId).errors[code] = body.message
        else wrong.push(`${route.operationId}: ${JSON.stringify(body)} instead of ${code}`)
      }
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
    for (const [operationIds, code, message] of await slow)
      for (const operationId of operationIds) recordOf(operationId).errors[code] = message
  } finally {
    await places.sim.close()
    await places.guarded[Symbol.asyncDispose]()
    await places.broken[Symbol.asyncDispose]()
  }
}

const nobody = 'acc_000000000000'

/** Errors that many operations have, for the same cause. */
function commonCauses({ sim, guarded, broken, poor }: Places): Partial<Record<ProblemCode, Cause>> {
  const at = (url: string, route: Route, call: Partial<Call> = {}) =>
    send(url, {
      method: route.method,
      path: filled(route.path, valuesOf(route, poor.id)),
      ...(route.body && { body: recordOf(route.operationId).body }),
      headers: bearer(sim.apiKey),
      ...call,
    })
  const isControl = (route: Route) => route.access === 'control'
  const guardOf = (route: Route) => (isControl(route) ? guarded.client.url : sim.url)
  let unforeseen: ReturnType<Cause>
  return {
    missing_auth_header: (route) => at(guardOf(route), route, { headers: {} }),
    invalid_api_key: (route) =>
      at(guardOf(route), route, { headers: bearer('qk_nobody_00000000000000000000') }),
    api_key_revoked: (route) => at(sim.url, route, { headers: bearer(keys.revoked.key) }),
    forbidden: (route) => at(sim.url, route, { headers: { host: 'evil.example' } }),
    account_not_found: (route) =>
      at(
        sim.url,
        route,
        isControl(route)
          ? { body: { ...(recordOf(route.operationId).body as object), account_id: nobody } }
          : { path: filled(route.path, valuesOf(route, nobody)) },
      ),
    // With the quotes of a JSON text.
    payload_too_large: (route) => at(sim.url, route, { body: 'x'.repeat(2_000_000 - 2) }),
    invalid_params(route) {
      if (route.path.includes(':'))
        return at(sim.url, route, { path: route.path.replace(/:\w+/, '%E0%A4%A') })
      if (!isControl(route) && route.access !== 'open')
        return at(sim.url, route, {
          headers: { ...bearer(sim.apiKey), 'x-svc-sim-fault': 'slow' },
        })
      return at(sim.url, route, { body: JSON.parse('['.repeat(65) + ']'.repeat(65)) })
    },
    // One place returns it for all of them.
    internal_error(route) {
      unforeseen ??= at(broken.client.url, route, { headers: bearer(keys.first.key) })
      return unforeseen
    },
  }
}

/** Values for the parameters of a path: of what is there, or of nothing. */
function valuesOf({ operationId, path }: Route, account_id: string): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const recorded = recordOf(operationId).path ?? {}
  return { ...Object.fromEntries(names.map((name) => [name, recorded[name] ?? 'x'])), account_id }
}
