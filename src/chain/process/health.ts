import pTimeout from 'p-timeout'
import { z } from 'zod'
import { type NetworkName, networks, perNetwork } from '../../deployments/networks.js'
import { coarseTimers } from '../../lib/coarseTimeout.js'
import { ServiceError } from '../../lib/errors.js'
import { chainId as chainIdField, count } from '../../lib/scalars.js'
import type { Nodes } from '../rpc/node.js'
import { type MiningSwitch, switchCure, switchText } from '../transactions/mining.js'

/** The state of one network. `error` says why it is not ready. */
const networkReadiness = z.strictObject({
  chain_id: chainIdField,
  ready: z.boolean(),
  error: z.string().optional(),
  mining: z.string().optional().meta({
    description:
      'Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready.',
  }),
  fork: z
    .strictObject({ host: z.string(), block: count, left_out: z.array(z.string()) })
    .optional()
    .meta({ description: 'The source of a forked network, and what it lacks.' }),
})

type NetworkReadiness = z.infer<typeof networkReadiness>

/** The answer of `GET /health/ready`. */
export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    draining: z.literal(true).optional().meta({
      description: 'It leases no more worlds, and stops when the last lease has ended.',
    }),
    networks: z.strictObject(perNetwork(() => networkReadiness)),
  })
  .meta({ id: 'Readiness' })

export type Readiness = z.infer<typeof readinessSchema>

/** The parts of a fork's origin that may be shown. */
interface ForkOrigin {
  host: string
  block: number
  leftOut: readonly { name: string; why: string }[]
}

/** A node that takes longer is not ready. Milliseconds. */
const answerWithinMs = 2_000

/** Asks every node for its chain id (design: `GET /health/ready`). */
export async function readiness(
  nodes: Nodes,
  forks: ReadonlyMap<NetworkName, ForkOrigin> = new Map(),
  switches: () => readonly MiningSwitch[] = () => [],
): Promise<Readiness> {
  const problems = await problemsOf(nodes)
  const switched = switches()
  const entries = networks.map(({ name, chainId }): [NetworkName, NetworkReadiness] => {
    const error = problems.get(name)
    const fork = forks.get(name)
    const by = switched.find(({ network }) => network === name)
    return [
      name,
      {
        chain_id: chainId,
        ready: error === undefined,
        ...(error === undefined ? {} : { error }),
        ...(by && { mining: `${switchText(by)}; ${switchCure(by)}` }),
        ...(fork ? { fork: forkReport(fork) } : {}),
      },
    ]
  })
  const states = new Map(entries)
  return readinessOf(perNetwork(({ name }) => states.get(name)!))
}

/** Rejects with `internal_error` and a message that begins with `refusal` unless all nodes answer: for changes of all chains or none. */
export async function expectAlive(nodes: Nodes, refusal: string): Promise<void> {
  const { networks } = await readiness(nodes)
  const problems = Object.entries(networks).flatMap(([name, { error }]) =>
    error === undefined ? [] : [`${name}: ${error}`],
  )
  if (problems.length > 0)
    throw new ServiceError('internal_error', `${refusal}: ${problems.join('; ')}`, {
      hint: 'all five nodes must respond, so that they stay at the same moment; remove what blocks them',
    })
}

/** The answer of `GET /health/ready` before the nodes are up. */
export function notReadyYet(): Readiness {
  return readinessOf(
    perNetwork(({ chainId }) => ({
      chain_id: chainId,
      ready: false,
      error: 'the node is starting',
    })),
  )
}

/** The system is ready when each of its networks is. */
export function readinessOf(networks: Readiness['networks']): Readiness {
  const isReady = Object.values(networks).every(({ ready }) => ready)
  return { status: isReady ? 'ready' : 'not_ready', networks }
}

function forkReport({ host, block, leftOut }: ForkOrigin): NonNullable<NetworkReadiness['fork']> {
  return { host, block, left_out: leftOut.map(({ name, why }) => `${name}: ${why}`) }
}

/** Why nodes are not ready, for each that is not. */
async function problemsOf(nodes: Nodes): Promise<ReadonlyMap<NetworkName, string>> {
  const problems = new Map(
    networks.map(({ name }) => [name, `no answer within ${answerWithinMs} ms`]),
  )
  const checks = networks.map(async ({ name, chainId }) => {
    const problem = await problemOf(nodes, name, chainId)
    if (problem === undefined) problems.delete(name)
    else problems.set(name, problem)
  })
  await pTimeout(Promise.all(checks), {
    milliseconds: answerWithinMs,
    fallback: () => undefined,
    customTimers: coarseTimers,
  })
  return new Map(problems) // a copy: later answers must not change it
}

function problemOf(
  nodes: Nodes,
  network: NetworkName,
  chainId: number,
): Promise<string | undefined> | string {
  const { lifecycle, rpc } = nodes.get(network)
  if (lifecycle.isDown) return 'the node died, and is being started again'
  return rpc.request<string>('eth_chainId').then(
    (answer) =>
      Number(answer) === chainId ? undefined : `answers chain id ${answer}, expected ${chainId}`,
    (error: Error) => error.message,
  )
}
