import type { Request } from 'express'
import type { z } from 'zod'
import { isoSeconds } from '../../../time/clock.js'
import { failedActivitiesIn, type LeasedWorld } from '../../../worlds/lease.js'
import { type Context, controlRoute, type ErrorCase, type Route } from '../../core/route.js'
import { leaseFor, leasesOf } from '../../worlds/leasing.js'
import { noWorld, worldLost } from '../../worlds/worldRouter.js'
import {
  countsSchema,
  failureBody,
  leaseBody,
  leaseQuery,
  leaseSchema,
  worldOnWire,
  worldSchema,
} from './worldSchemas.js'

const oneWorld = { description: 'The world.', schema: worldSchema }
const unknown: ErrorCase = {
  code: 'not_found',
  when: 'the world does not exist, or no longer exists',
}

/** Reasons to refuse a lease. */
export const leaseErrors: readonly ErrorCase[] = [
  {
    code: 'rate_limited',
    when: 'the limit of worlds is reached, and too many requests wait or no world was released in time',
  },
  {
    code: 'no_room',
    when: 'the simulator drains before it stops, or the request says `wait=0` and the limit of worlds is reached',
  },
]

export const worldRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'leaseWorld',
    method: 'post',
    path: '/_sim/worlds',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'Lease a world',
    description:
      'Leases a separate simulator behind the same port: five chains, clock, prices, faults, accounts, journal and snapshots, in memory. Its key selects it for the service API, and as bearer token for `/_sim` and `/rpc`. The paths `/_sim/worlds/ID/...` and `/worlds/ID/rpc/NETWORK` select it too. No other client gets it until the lease is released or expires. All fields may be omitted, and the body too. When the limit of worlds is reached, the request waits for one; with `?wait=0` or the header `Prefer: wait=0`, it gets 503 `no_room` with `retry-after` at once, so that a load balancer can try the next simulator.',
    locks: 'handler',
    query: leaseQuery,
    body: {
      schema: leaseBody,
      absent: {},
    },
    answer: {
      status: 201,
      description: 'The world.',
      schema: leaseSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is malformed, or a world cannot start with it; the message names the field',
      },
      ...leaseErrors,
    ],
    handler: lease,
  }),
  controlRoute({
    operationId: 'listWorlds',
    method: 'get',
    path: '/_sim/worlds',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'List the worlds',
    description:
      'Lists the leased worlds, oldest lease first, with what failed in them, the number of other worlds, how many have ended with failed tests, and what was recorded of the last of those. Their keys are not shown.',
    locks: 'none',
    answer: {
      description: 'The worlds.',
      schema: countsSchema,
    },
    async handler({ deps, req }) {
      const leases = leasesOf(deps)
      const failures = await leases.failures()
      const { leased, warm, starting, waiting, most } = leases.counts()
      const worlds = leases.all().map((world) => {
        const own = failures.get(world.id)
        const failed_activities = own ? failedActivitiesIn(world, own) : null
        const { refused = null, cut = null } = own ?? {}
        return { ...worldOnWire(world, req, deps), failed_activities, refused, cut }
      })
      const { failed, worlds: ended, trace = null } = leases.ended()
      const others = { leased, warm, starting, waiting, most }
      const first = leases.ofDefault()
      const hasTests = first.failedTests.length + first.flakyTests.length > 0
      const default_world = hasTests ? worldOnWire(first, req, deps) : null
      const ended_worlds = ended.map(({ world, endedMs, verdicts }) => {
        const { url: _, controlUrl: __, rpc: ___, ...facts } = worldOnWire(world, req, deps)
        const ended_at = isoSeconds(endedMs)
        return { ...facts, state: 'ended' as const, ended_at, verdicts: [...verdicts] }
      })
      const kept = { ended_with_failures: failed, ended_worlds, default_world, trace }
      return { worlds, ...others, ...kept }
    },
  }),
  controlRoute({
    operationId: 'getWorld',
    method: 'get',
    path: '/_sim/worlds/:id',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'Inspect a world',
    description: 'Returns the end of its lease, or why it was lost.',
    locks: 'none',
    answer: oneWorld,
    errors: [unknown],
    handler: ({ deps, req }) => worldOnWire(existingWorld(leasesOf(deps).ofId, req), req, deps),
  }),
  controlRoute({
    operationId: 'releaseWorld',
    method: 'delete',
    path: '/_sim/worlds/:id',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'Release a world',
    description:
      'Ends the lease at once: its key and id become unknown, and requests under way may be cut off. The content of the world is lost.',
    locks: 'none',
    answer: { ...oneWorld, description: 'The released world.' },
    errors: [unknown],
    handler: ({ deps, req }) => worldOnWire(existingWorld(leasesOf(deps).release, req), req, deps),
  }),
  controlRoute({
    operationId: 'reportFailedTest',
    method: 'post',
    path: '/_sim/worlds/:id/failures',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'Report a failed test',
    description:
      'Tells which test failed in this world, so that the list of worlds and a trace show it first. With `since`, a trace (`--trace FILE`) has an entry for this test alone, with accounts, activities and balances as they are now: restore the world after the response. With `passed`, it tells that the test has passed, and with `passed_on_retry`, that it has passed when it was retried. The vitest fixtures do all this. Tests that share the default world are reported under the id `default`.',
    locks: 'none',
    body: { schema: failureBody },
    answer: oneWorld,
    errors: [unknown],
    async handler({ deps, req, body }) {
      const world = await leasesOf(deps).markFailed(String(req.params.id), body)
      return worldOnWire(
        existingWorld(() => world, req),
        req,
        deps,
      )
    },
  }),
  controlRoute({
    operationId: 'renewWorld',
    method: 'post',
    path: '/_sim/worlds/:id/renew',
    isUnjournaled: true,
    tag: 'Worlds',
    summary: 'Renew a lease',
    description: 'Extends the lease to `lease_seconds` from now.',
    locks: 'none',
    answer: oneWorld,
    errors: [
      unknown,
      {
        code: 'world_lost',
        when: 'the world has ended',
      },
    ],
    handler({ deps, req }) {
      const leases = leasesOf(deps)
      const world = existingWorld(leases.ofId, req)
      if (world.lost !== undefined) throw worldLost(world)
      return worldOnWire(existingWorld(leases.renew, req), req, deps)
    },
  }),
]

async function lease({
  deps,
  req,
  res,
  query,
  body,
}: Context<'control', z.infer<typeof leaseQuery>, z.infer<typeof leaseBody>>) {
  const { name, seed, clock, fork, bundle, scenario, lease_seconds } = body
  const { world, accounts } = await leaseFor(deps, res, {
    wishes: { seed, clock, fork, bundle },
    scenario,
    name,
    leaseSeconds: lease_seconds,
    isImmediate: query.wait === '0' || prefersNoWait(req),
  })
  return { ...worldOnWire(world, req, deps), apiKey: world.apiKey, accounts }
}

/** RFC 7240: preferences are separated by commas, and a proxy may send several headers. */
function prefersNoWait({ headers }: Request): boolean {
  return /(?:^|,)\s*wait\s*=\s*"?0"?\s*(?:[,;]|$)/i.test([headers.prefer ?? []].flat().join(','))
}

function existingWorld(look: (id: string) => LeasedWorld | undefined, req: Request): LeasedWorld {
  const id = String(req.params.id)
  const world = look(id)
  if (world) return world
  throw noWorld(id)
}
