import { createWire, type ScenarioTarget, type Wire } from '../scenarios/target.js'
import { type OwnSimulator, type ReadyLine, startOwnSimulator } from './ownSimulator.js'
import { ToolError } from './toolError.js'

/** The simulator that an agent works with: none, one that it started, or one that was running. */
export interface Session {
  /** Throws what to do when there is none. */
  target(): ScenarioTarget
  /** Requests to the target. */
  wire(): Wire
  /** Requests to the simulator in front, whichever world the session is in. */
  front(): Wire
  /** Goes to a world that has just been leased. */
  enterLeased(id: string, apiKey: string): void
  /** Goes to a world that was leased here, or to the first. Throws which there are. */
  enter(id: string | undefined): void
  /** A world is not there any more; whoever was in it is in the first again. */
  forget(id: string): void
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
  const digests = new Map<string, string>()
  /** Keys of the worlds that were leased here, and which of them the session is in. */
  const keyOfWorld = new Map<string, string>()
  let worldId: string | undefined

  /** Ids may be equal in two worlds that have one seed. */
  const keyOf = (planId: string) => `${target?.url} ${worldId} ${planId}`
  const leaveWorlds = (): void => {
    keyOfWorld.clear()
    worldId = undefined
  }

  function front(): ScenarioTarget {
    if (target) return target
    throw new ToolError(
      `${lost}No simulator is running here. Call simulator with action start, or with action attach and the url of one that runs.`,
    )
  }

  function current(): ScenarioTarget {
    const key = worldId === undefined ? undefined : keyOfWorld.get(worldId)
    // The key of a world chooses it for the control API too.
    return key === undefined ? front() : { ...front(), apiKey: key, controlToken: key }
  }

  return {
    target: current,
    wire: () => createWire(current()),
    front: () => createWire(front()),
    enterLeased(id, apiKey) {
      keyOfWorld.set(id, apiKey)
      worldId = id
    },
    enter(id) {
      if (id !== undefined && !keyOfWorld.has(id))
        throw new ToolError(
          `No world ${id} was leased here; there ${keyOfWorld.size === 0 ? 'is none' : `are ${[...keyOfWorld.keys()].join(', ')}`}. Lease one with worlds, action lease.`,
        )
      worldId = id
    },
    forget(id) {
      keyOfWorld.delete(id)
      if (worldId === id) worldId = undefined
    },
    where: () => ready ?? target,
    async start(flags) {
      if (own)
        throw new ToolError(
          ready
            ? `A simulator is running already, at ${ready.url}. Use it, take it back with action reset, or stop it first.`
            : 'A simulator is starting already. Wait for it.',
        )
      const starting = startOwnSimulator(program, flags)
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
        leaveWorlds()
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
      leaveWorlds()
      target = found
    },
    async stop() {
      const [stopping, left] = [own, target]
      own = ready = target = undefined
      leaveWorlds()
      lost = ''
      if (!stopping) return left ? `left ${left.url} running` : 'there was none'
      await stopping.stop()
      return 'stopped'
    },
    remember(planId, digest) {
      digests.set(keyOf(planId), digest)
      const [oldest] = digests.keys()
      if (digests.size > plansRemembered && oldest !== undefined) digests.delete(oldest)
    },
    digestOf: (planId) => digests.get(keyOf(planId)),
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
      `What answers at ${target.url} is not a simulator (status ${answer.status}). Give the url of one.`,
    )
  if (answer.status === 401)
    throw new ToolError(
      `The simulator at ${target.url} does not accept this API key. Give one of its own as key.`,
    )
}
