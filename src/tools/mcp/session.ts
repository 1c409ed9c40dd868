import {
  type OwnSimulator,
  type ReadyLine,
  startOwnSimulator,
} from '../../clients/remote/ownSimulator.js'
import { createWire, type ScenarioTarget, type Wire } from '../../clients/scenarios/target.js'
import { LeasedWorlds } from './leasedWorlds.js'
import { ToolError } from './toolError.js'

/** The simulator that an agent works with: none, one that it started, or one that was running. */
export interface Session {
  /** Throws what to do when there is none. */
  target(): ScenarioTarget
  /** Requests to the target. */
  wire(): Wire
  /** Requests to the simulator in front, whichever world the session is in. */
  front(): Wire
  worlds: LeasedWorlds
  /** Where everything is, while there is a simulator. */
  where(): Partial<ReadyLine> | undefined
  start(flags: readonly string[]): Promise<ReadyLine>
  /** Throws unless a simulator answers there and takes the key. */
  attach(target: { url: string } & Partial<Keys>): Promise<void>
  /** Stops what was started; leaves what was attached to. Resolves to what was done. */
  stop(): Promise<string>
  /** The digest of each plan that was made here, for execute: `remember` on making, `digestOf` on signing. */
  remember(planId: string, digest: string): void
  digestOf(planId: string): string | undefined
}

/** What opens a simulator, when an agent says nothing else. */
export type Keys = Omit<ScenarioTarget, 'url'>

/** Plans live two minutes; nobody signs one that was made a hundred plans ago. */
const plansRemembered = 100

/** `program` is the file of the command line, `url` the running simulator that it named. */
export function createSession(program: string, keys: Keys, url?: string): Session {
  let target: ScenarioTarget | undefined = url === undefined ? undefined : { url, ...keys }
  let own: OwnSimulator | undefined
  let ready: ReadyLine | undefined
  let lost = ''
  const digests = createDigests()
  const worlds = new LeasedWorlds()

  /** Ids may be equal in two worlds that have one seed. */
  const keyOf = (planId: string) => `${target?.url} ${worlds.current()?.id} ${planId}`

  function front(): ScenarioTarget {
    if (target) return target
    throw new ToolError(
      `${lost}No simulator is running here. Call simulator with action start, or with action attach and the url of one that runs.`,
    )
  }

  function current(): ScenarioTarget {
    const world = worlds.current()
    // The key of a world chooses it for the control API too.
    return world ? { ...front(), apiKey: world.apiKey, controlToken: world.apiKey } : front()
  }

  return {
    target: current,
    wire: () => createWire(current()),
    front: () => createWire(front()),
    worlds,
    where: () => ready ?? target,
    async start(flags) {
      if (own)
        throw new ToolError(
          ready
            ? `A simulator is running already, at ${ready.url}. Use it, take it back with action reset, or stop it first.`
            : 'A simulator is starting already. Wait for it.',
        )
      // Standard output belongs to the client.
      const onSaid = (text: string) => void process.stderr.write(text)
      const starting = startOwnSimulator(program, flags, { onSaid })
      own = starting
      try {
        ready = await starting.ready
      } catch (error) {
        own = undefined
        throw new ToolError((error as Error).message)
      }
      target = { ...keys, url: ready.url, apiKey: ready.apiKey }
      void starting.ended.then((why) => {
        if (own !== starting) return
        own = ready = target = undefined
        worlds.clear()
        lost = `The simulator that was started here has ended (${why}). `
      })
      return ready
    },
    async attach(to) {
      if (own)
        throw new ToolError(
          'A simulator that was started here is running. Stop it first: simulator with action stop.',
        )
      const found = { ...keys, ...to }
      await checkTarget(found)
      worlds.clear()
      target = found
    },
    async stop() {
      const [stopping, left] = [own, target]
      own = ready = target = undefined
      worlds.clear()
      lost = ''
      if (!stopping) return left ? `left ${left.url} running` : 'there was none'
      await stopping.stop()
      return 'stopped'
    },
    remember: (planId, digest) => digests.add(keyOf(planId), digest),
    digestOf: (planId) => digests.of(keyOf(planId)),
  }
}

function createDigests() {
  const digests = new Map<string, string>()
  return {
    add(key: string, digest: string) {
      digests.set(key, digest)
      const [oldest] = digests.keys()
      if (digests.size > plansRemembered && oldest !== undefined) digests.delete(oldest)
    },
    of: (key: string) => digests.get(key),
  }
}

async function checkTarget(target: ScenarioTarget): Promise<void> {
  const answer = await createWire(target).send({ method: 'GET', path: '/prime_account' })
  if (answer.cut)
    throw new ToolError(
      `No simulator answers at ${target.url} (${answer.why}). Give the url of one that runs, or start one with action start.`,
    )
  if (!('x-svc-sim-request-id' in answer.headers))
    throw new ToolError(
      `The server at ${target.url} is not a simulator (status ${answer.status}). Give the url of one.`,
    )
  if (answer.status === 401)
    throw new ToolError(
      `The simulator at ${target.url} does not accept this API key. Give one of its own as key.`,
    )
}
