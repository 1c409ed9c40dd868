import type { Request } from 'express'
import { z } from 'zod'
import { networkNames, perNetwork } from '../../../chain/deployments/networks.js'
import { type ForkTarget, parseFork, targetProblem } from '../../../chain/fork/target.js'
import { count } from '../../../lib/scalars.js'
import { isoSeconds, parseClock } from '../../../time/clock.js'
import type { LeasedWorld } from '../../../worlds/directory.js'
import { example } from '../../examples.js'
import { leaseFor, leasesOf } from '../../leasing.js'
import { type Context, defineRoute, type ErrorCase, type Route } from '../../route.js'
import { noWorld, worldLost } from '../../worldOf.js'

const longestLease = 86_400

const seedError = 'must be a whole number, 0 or more, as a number or in decimal digits'
const bundleError = 'must be the path of a folder that "svc-sim bundle create" has written'
const scenarioError = 'must be the content of a scenario file: a JSON object, or its text in YAML'

const forkTarget = z
  .union([
    z.string(),
    z.strictObject({
      url: z.union([z.string(), z.array(z.string())]),
      block: count.optional(),
    }),
  ])
  .transform((given, context) => {
    const target = typeof given === 'string' ? targetOf(given) : given
    const problem = 'problem' in target ? target.problem : targetProblem(strict(target))
    if (problem === undefined && 'url' in target) return strict(target)
    // The text may hold a key, so it is not among what was received.
    context.addIssue({ code: 'custom', message: `cannot be forked: ${problem}`, input: undefined })
    return z.NEVER
  })

const leaseBody = z
  .object({
    seed: z
      .union(
        [
          z
            .int({ error: seedError })
            .min(0, { error: seedError })
            .max(Number.MAX_SAFE_INTEGER, { error: seedError }),
          z.string().regex(/^\d+$/, { error: seedError }),
        ],
        { error: seedError },
      )
      .transform(String)
      .meta({ description: 'Makes ids the same from world to world; drawn when absent.' })
      .optional(),
    clock: z
      .string()
      .superRefine((text, context) => {
        try {
          parseClock(text)
        } catch (error) {
          context.addIssue({ code: 'custom', message: wrongClock(error as Error) })
        }
      })
      .meta({ description: '`real`, `frozen` or `frozen@TIME`, as `--clock`; `real` when absent.' })
      .optional(),
    fork: z
      .partialRecord(z.enum(networkNames), forkTarget)
      .meta({
        description:
          'Networks to fork, each as `URL[,URL...]`, with `@BLOCK` or without, or `{url, block}`; the others are offline.',
      })
      .optional(),
    bundle: z
      .string({ error: bundleError })
      .min(1, { error: bundleError })
      .meta({
        description:
          'Folder of a bundle on the simulator’s machine: its networks are forked from there. What it lacks is asked of the endpoints in `fork`, or is an error.',
      })
      .optional(),
    scenario: z
      .union([z.string(), z.record(z.string(), z.unknown())], { error: scenarioError })
      .meta({
        description:
          'A scenario, as JSON or as YAML text: its world is prepared and its faults are armed.',
      })
      .optional(),
    lease_seconds: z
      .int({ error: leaseError() })
      .min(1, { error: leaseError() })
      .max(longestLease, { error: leaseError() })
      .default(300)
      .meta({
        description:
          'The lease ends so long after it was given or renewed, by the machine’s clock.',
      }),
  })
  .meta({ id: 'WorldRequest' })

/** What a world is like on the wire. */
export const worldShape = {
  id: z.string(),
  state: z.enum(['leased', 'lost']),
  lost: z.string().nullable().meta({ description: 'Why it is lost.' }),
  url: z.string(),
  controlUrl: z.string(),
  rpc: z.record(z.string(), z.string()).meta({ description: 'JSON-RPC by network.' }),
  lease_seconds: count,
  lease_until: z.string().meta({ description: 'ISO 8601, by the machine’s clock.' }),
}
const worldSchema = z.strictObject(worldShape).meta({ id: 'World' })
const leaseSchema = z
  .strictObject({
    ...worldShape,
    apiKey: z.string().meta({
      description:
        'The one key of this world. Told here and in its own `overview`, in no list of worlds.',
    }),
    accounts: z
      .record(
        z.string(),
        z.strictObject({ id: z.string(), wallet: z.string(), signer: z.string(), key: z.string() }),
      )
      .meta({ description: 'The accounts of the scenario, by their names there.' }),
  })
  .meta({ id: 'WorldLease' })
const countsSchema = z
  .strictObject({
    worlds: z.array(worldSchema),
    leased: count,
    warm: count.meta({ description: 'Ready for the next lease.' }),
    starting: count.meta({ description: 'Being started, or begun anew after a lease.' }),
    waiting: count.meta({ description: 'Requests for a lease that wait.' }),
    most: count.meta({ description: '`--max-worlds`.' }),
  })
  .meta({ id: 'Worlds' })

const directoryTrouble =
  'The directory of worlds cannot be asked: connect ECONNREFUSED 127.0.0.1:6379'
const exampleId = 'wld_5t0p9x2m4k1c'
export const worldExample = {
  id: exampleId,
  state: 'leased' as const,
  lost: null,
  url: 'http://127.0.0.1:4477',
  controlUrl: `http://127.0.0.1:4477/_sim/worlds/${exampleId}`,
  rpc: perNetwork(({ name }) => `http://127.0.0.1:4477/worlds/${exampleId}/rpc/${name}`),
  lease_seconds: 300,
  lease_until: example.time,
}

const unknown: ErrorCase = {
  code: 'not_found',
  when: 'there is no such world, or not any more',
  message: `There is no world ${exampleId}`,
}

/** Why there may be no world for a caller. */
export const leaseErrors: readonly ErrorCase[] = [
  {
    code: 'rate_limited',
    when: 'there are as many worlds as there may be, and too many requests wait or none was given back in time',
    message: 'No world can be leased now: 256 requests wait for one already',
  },
  {
    code: 'fleet_unavailable',
    when: 'behind a front: the directory of worlds could not be asked for half a minute; worlds in use go on',
    message: directoryTrouble,
  },
]

export const worldRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/_sim/worlds',
    tag: 'Worlds',
    summary: 'Lease a world',
    description:
      'A whole simulator of its own behind the same port: five chains, clock, prices, faults, accounts, journal, snapshots, in memory. Its key chooses it for the service API, and as bearer for `/_sim` and `/rpc`; so do `/_sim/worlds/ID/...` and `/worlds/ID/rpc/NETWORK`. Nobody else gets it until the lease ends: when it is given back, or not renewed in time. All fields may be left out, and the body too.',
    access: 'control',
    locks: 'handler',
    source: 'extension',
    body: {
      schema: leaseBody,
      example: { seed: '7', clock: 'frozen', lease_seconds: 120 },
      absent: {},
    },
    answers: [
      {
        status: 201,
        description: 'The world.',
        schema: leaseSchema,
        example: { ...worldExample, apiKey: 'qk_3f9a1c_0b7e5d2c8a4f6e1d3b9c', accounts: {} },
      },
    ],
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is malformed, or a world cannot begin so; the message names the field',
        message: `lease_seconds ${leaseError()}, received 0`,
      },
      ...leaseErrors,
    ],
    handler: lease,
  }),
  defineRoute({
    method: 'get',
    path: '/_sim/worlds',
    tag: 'Worlds',
    summary: 'List the worlds',
    description:
      'Those that are leased, oldest lease first, and how many others there are. Their keys are not told.',
    access: 'control',
    locks: 'none',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'The worlds.',
        schema: countsSchema,
        example: { worlds: [worldExample], leased: 1, warm: 3, starting: 0, waiting: 0, most: 32 },
      },
    ],
    errors: [],
    handler({ deps, req }) {
      const leases = leasesOf(deps)
      const { leased, warm, starting, waiting, most } = leases.counts()
      const worlds = leases.all().map((world) => worldOnWire(world, req))
      return { worlds, leased, warm, starting, waiting, most }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/_sim/worlds/:id',
    tag: 'Worlds',
    summary: 'Look at a world',
    description: 'Until when it is leased; or that it is lost, and why.',
    access: 'control',
    locks: 'none',
    source: 'extension',
    answers: [
      { status: 200, description: 'The world.', schema: worldSchema, example: worldExample },
    ],
    errors: [unknown],
    handler: ({ deps, req }) => worldOnWire(found(leasesOf(deps).ofId, req), req),
  }),
  defineRoute({
    method: 'delete',
    path: '/_sim/worlds/:id',
    tag: 'Worlds',
    summary: 'Give a world back',
    description:
      'Ends the lease at once: key and id are unknown from now on, and requests under way may break off. What was in the world is gone.',
    access: 'control',
    locks: 'none',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'The world, as it was.',
        schema: worldSchema,
        example: worldExample,
      },
    ],
    errors: [unknown],
    handler: ({ deps, req }) => worldOnWire(found(leasesOf(deps).giveBack, req), req),
  }),
  defineRoute({
    method: 'post',
    path: '/_sim/worlds/:id/renew',
    tag: 'Worlds',
    summary: 'Renew a lease',
    description: 'It lasts another `lease_seconds` from now.',
    access: 'control',
    locks: 'none',
    source: 'extension',
    answers: [
      { status: 200, description: 'The world.', schema: worldSchema, example: worldExample },
    ],
    errors: [
      unknown,
      {
        code: 'world_lost',
        when: 'the world has ended',
        message: `The world ${exampleId} is lost: the base node ended (SIGKILL)`,
      },
    ],
    handler({ deps, req }) {
      const leases = leasesOf(deps)
      const world = found(leases.ofId, req)
      if (world.lost !== undefined) throw worldLost(world)
      return worldOnWire(found(leases.renew, req), req)
    },
  }),
]

async function lease({
  deps,
  req,
  res,
  body,
}: Context<'control', undefined, z.infer<typeof leaseBody>>) {
  const { seed, clock, fork, bundle, scenario, lease_seconds } = body
  const { world, accounts } = await leaseFor(deps, res, {
    wishes: { seed, clock, fork, bundle },
    scenario,
    leaseSeconds: lease_seconds,
  })
  return { ...worldOnWire(world, req), apiKey: world.apiKey, accounts }
}

function found(look: (id: string) => LeasedWorld | undefined, req: Request): LeasedWorld {
  const id = String(req.params.id)
  const world = look(id)
  if (world) return world
  throw noWorld(id)
}

/** Under the name by which the caller has reached us: it may be another machine. */
export function worldOnWire(
  world: Pick<LeasedWorld, 'id' | 'lost' | 'leaseSeconds' | 'leaseUntilMs'>,
  req: Request,
): z.infer<typeof worldSchema> {
  const { id, lost, leaseSeconds, leaseUntilMs } = world
  const url = `http://${req.headers.host}`
  return {
    id,
    state: lost === undefined ? 'leased' : 'lost',
    lost: lost ?? null,
    url,
    controlUrl: `${url}/_sim/worlds/${id}`,
    rpc: perNetwork(({ name }) => `${url}/worlds/${id}/rpc/${name}`),
    lease_seconds: leaseSeconds,
    lease_until: isoSeconds(leaseUntilMs),
  }
}

function leaseError(): string {
  return `must be a whole number of seconds from 1 to ${longestLease}`
}

function wrongClock({ message }: Error): string {
  return message.replace(/^it /, '')
}

/** `URL[,URL...]` with `@BLOCK` or without, as behind the network in `--fork`. */
function targetOf(text: string): ForkTarget | { problem: string } {
  try {
    const { network: _, ...target } = parseFork(`base=${text}`)
    return target
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function strict({ url, block }: Pick<ForkTarget, 'url'> & { block?: number | undefined }) {
  return { url, ...(block === undefined ? {} : { block }) }
}
