import type { Request } from 'express'
import { z } from 'zod'
import { type ForkTarget, parseFork, targetProblem } from '../../../chain/fork/upstream/target.js'
import { networkNames, perNetwork } from '../../../deployments/networks.js'
import { count } from '../../../lib/scalars.js'
import { isoSeconds, parseClock } from '../../../time/clock.js'
import { defaultWorldId, type LeasedWorld } from '../../../worlds/lease.js'
import { callerUrl } from '../../core/request.js'
import type { AppDeps } from '../../core/types.js'

const longestLease = 86_400

const leaseError = `must be a whole number of seconds from 1 to ${longestLease}`

const seedError = 'must be a whole number, 0 or more, as a number or in decimal digits'
const bundleError = 'must be the path of a folder that "svc-sim bundle create" has written'
const scenarioError = 'must be the content of a scenario file: a JSON object, or its text in YAML'

const forkTarget = z
  .union([
    z.string(),
    z.strictObject({
      // Generators make nothing of a text or a list.
      url: z.union([z.string(), z.array(z.string())]).meta({
        type: 'array',
        items: { type: 'string' },
        description: 'Endpoints: if one fails, the next is used. A single one may be a string.',
      }),
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

/** The message for a `fork` that is not an object by network. */
const wrongForks = ({ code, keys }: z.core.$ZodRawIssue): string =>
  `must be an object that gives networks their endpoints, such as {"base": "https://node.example"}${code === 'unrecognized_keys' ? `; there is no network ${keys.join(', ')}, networks are ${networkNames.join(', ')}` : ''}`

export const leaseQuery = z.object({
  wait: z
    .literal('0', { error: 'must be 0' })
    .optional()
    .meta({ description: '`0`: fail at once if the limit of worlds is reached.' }),
})

function textField(max: number) {
  const error = `must be a text of 1 to ${max} characters`
  return z.string({ error }).min(1, { error }).max(max, { error })
}

export const leaseBody = z
  .object({
    name: textField(200)
      .meta({ description: 'Shown in the list of worlds, for example file and name of a test.' })
      .optional(),
    seed: z
      .union(
        [
          z
            .int({ error: seedError, abort: true })
            .min(0, { error: seedError })
            .max(Number.MAX_SAFE_INTEGER, { error: seedError }),
          z.string().regex(/^\d+$/, { error: seedError }),
        ],
        { error: seedError },
      )
      .transform(String)
      .meta({ description: 'Makes ids the same from world to world; random when absent.' })
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
      .meta({
        description:
          '`real`, `auto`, `frozen` or `frozen@TIME`, as `--clock`; when absent, `auto` if the simulator was started with `--clock auto`, and `real` otherwise.',
      })
      .optional(),
    fork: z
      .partialRecord(z.enum(networkNames), forkTarget, { error: wrongForks })
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
          'Folder of a bundle on the simulator’s machine, from which its networks are forked. Data missing there comes from the endpoints in `fork`; otherwise it is an error.',
      })
      .optional(),
    scenario: z
      .union(
        [
          z.string(),
          z.record(z.string(), z.unknown()).meta({
            id: 'ScenarioContent',
            description: 'The content of a scenario file.',
          }),
        ],
        { error: scenarioError },
      )
      .meta({
        description:
          'A scenario, as JSON or as YAML text: its world is prepared and its faults are armed.',
      })
      .optional(),
    lease_seconds: z
      .int({ error: leaseError })
      .min(1, { error: leaseError })
      .max(longestLease, { error: leaseError })
      .default(300)
      .meta({
        description: 'Length of the lease after it is granted or renewed, by the machine’s clock.',
      }),
  })
  .meta({ id: 'WorldRequest' })

export const worldShape = {
  id: z.string(),
  name: z.string().nullable().meta({ description: 'As the lease gave it.' }),
  failed_tests: z.array(z.string()).meta({
    description: 'The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`.',
  }),
  flaky_tests: z.array(z.string()).meta({
    description: 'The tests that failed in it first, and passed when they were retried.',
  }),
  passed_tests: z.array(z.string()).meta({
    description:
      'The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world.',
  }),
  failure: z.string().nullable().meta({
    description: 'The error of the test that failed last, if it was reported.',
  }),
  failures: z.record(z.string(), z.string()).meta({
    description:
      'The last error of each test that failed in it, by its name, where it was reported.',
  }),
  test_of: z.string().nullable().meta({
    description:
      'In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null.',
  }),
  leased_at: z.string().nullable().meta({
    description:
      'ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then.',
  }),
  state: z
    .enum(['leased', 'lost', 'ended'])
    .meta({ description: '`ended`: in a trace, and after its lease.' }),
  lost: z.string().nullable().meta({ description: 'Why it is lost.' }),
  url: z.string(),
  controlUrl: z.string(),
  rpc: z.record(z.string(), z.string()).meta({ description: 'JSON-RPC by network.' }),
  lease_seconds: count,
  lease_until: z.string().meta({
    description:
      'ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run.',
  }),
}

const failureError = 'must be a text of at most 2000 characters'

export const failureBody = z
  .object({
    test: textField(500).meta({ description: 'Its name.' }),
    error: z
      .string({ error: failureError })
      .max(2_000, { error: failureError })
      .optional()
      .meta({ description: 'Why it failed.' }),
    since: count.optional().meta({
      description:
        'Cursor of the journal at which the test began. The trace of the run then keeps what the test did, even if the world is restored afterwards.',
    }),
    passed: z.boolean().optional().meta({
      description: 'True when the test has passed at once: it is listed in `passed_tests`.',
    }),
    passed_on_retry: z.boolean().optional().meta({
      description:
        'True when the test, reported as failed before, has passed when it was retried: it moves from `failed_tests` to `flaky_tests`. Name the world of the try that failed; its lease may have ended.',
    }),
  })
  .meta({ id: 'FailedTest' })

export const worldSchema = z.strictObject(worldShape).meta({ id: 'World' })

/** A leased world with its key, which only the lessee sees. */
export const leaseSchema = z
  .strictObject({
    ...worldShape,
    apiKey: z.string().meta({
      description:
        'The only key of this world. Shown here and in its own `overview`, but in no list of worlds.',
    }),
    accounts: z
      .record(
        z.string(),
        z.strictObject({ id: z.string(), wallet: z.string(), signer: z.string(), key: z.string() }),
      )
      .meta({ description: 'The accounts of the scenario, by their names there.' }),
  })
  .meta({ id: 'WorldLease' })

/** What is said of a world whose place is gone. */
const { url: _, controlUrl: __, rpc: ___, ...endedShape } = worldShape

const endedWorldSchema = z
  .strictObject({
    ...endedShape,
    ended_at: z.string().meta({ description: 'ISO 8601, by the machine’s clock.' }),
    verdicts: z.array(z.strictObject({ test: z.string(), id: z.string(), now: z.string() })).meta({
      description:
        'The last five failed activities and refused requests of its failed tests, oldest first, each with `now` of `GET /_sim/why/{id}` as it was when the test was reported.',
    }),
  })
  .meta({
    id: 'EndedWorld',
    description: 'What was recorded of a world. Its content is gone, so its id leads nowhere.',
  })

export const countsSchema = z
  .strictObject({
    worlds: z.array(
      z
        .strictObject({
          ...worldShape,
          failed_activities: count.nullable().meta({
            description:
              'Without what a restore or reset has undone, and without what a test that passed when retried left failed. Null when the world does not respond in time.',
          }),
          refused: count.nullable().meta({
            description:
              'Requests to the service API in its journal that were refused or cut, without those that a restore or reset has undone.',
          }),
          cut: count.nullable().meta({
            description:
              'Of `refused`, the requests whose response was cut off: they may have been carried out.',
          }),
        })
        .meta({ id: 'ListedWorld' }),
    ),
    leased: count,
    warm: count.meta({ description: 'Ready for the next lease.' }),
    starting: count.meta({ description: 'Being started, or reset after a lease.' }),
    waiting: count.meta({ description: 'Requests waiting for a lease.' }),
    most: count.meta({ description: '`--max-worlds`.' }),
    ended_with_failures: count.meta({
      description:
        'Worlds that have ended since the start and in which tests failed; in a trace, the default world is one of them.',
    }),
    ended_worlds: z.array(endedWorldSchema).meta({
      description:
        'The last 50 worlds whose lease has ended and in which tests failed, or that were lost, newest first. Empty in a trace, which lists all worlds with what they did.',
    }),
    default_world: worldSchema.nullable().meta({
      description:
        'The default world, if tests failed in it: those that share it report them there. It has no lease, so `lease_seconds` is 0.',
    }),
    trace: z.string().nullable().meta({
      description:
        'The file that keeps what ended worlds did: open it with `svc-sim ui FILE`. Null without `--trace`.',
    }),
  })
  .meta({ id: 'Worlds' })

/** Under the URL by which callers reach this simulator. */
export function worldOnWire(
  world: Omit<LeasedWorld, 'apiKey' | 'socket'>,
  req: Request,
  { access, trace }: Pick<AppDeps, 'access' | 'trace'>,
): z.infer<typeof worldSchema> {
  const {
    id,
    name = null,
    lost,
    leasedMs,
    leaseSeconds,
    leaseUntilMs,
    failedTests,
    flakyTests,
    passedTests,
  } = world
  const { failure = null, failures = {}, testOf: test_of = null } = world
  const url = callerUrl(req, access.bind)
  const place = id === defaultWorldId ? '' : `/worlds/${id}`
  return {
    id,
    name,
    failed_tests: [...failedTests],
    flaky_tests: [...flakyTests],
    passed_tests: [...passedTests],
    failure,
    failures: { ...failures },
    test_of,
    leased_at: leasedMs === undefined ? null : isoSeconds(leasedMs),
    state: lost !== undefined ? 'lost' : trace ? 'ended' : 'leased',
    lost: lost ?? null,
    url,
    controlUrl: `${url}/_sim${place}`,
    rpc: perNetwork(({ name }) => `${url}${place}/rpc/${name}`),
    lease_seconds: leaseSeconds,
    lease_until: isoSeconds(leaseUntilMs),
  }
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
