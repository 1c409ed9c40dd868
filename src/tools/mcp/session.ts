import {
  type OwnSimulator,
  type ReadyLine,
  startOwnSimulator,
} from '../../clients/remote/ownSimulator.js'
import { createWire, type ScenarioTarget, type Wire } from '../../clients/scenarios/target.js'

/** A call cannot be carried out. The message says what to do instead, and is the result of the call. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** The default keys. */
export type Keys = Omit<ScenarioTarget, 'url'>

export type Session = ReturnType<typeof createSession>

/**
 * The simulator of an agent: none, one that it started, or a running one. `program` is the file of the command line, `url` a running simulator.
 */
export function createSession(program: string, keys: Keys, url?: string) {
  let target: ScenarioTarget | undefined = url === undefined ? undefined : { url, ...keys }
  let own: OwnSimulator | undefined
  let ready: ReadyLine | undefined
  let lost = ''

  const targetOf = async (world?: unknown): Promise<ScenarioTarget> => {
    if (!target)
      throw new ToolError(
        `${lost}No simulator is running here. Call start_simulator, or attach_simulator with the url of one that runs.`,
      )
    return world === undefined ? target : worldOf(target, String(world))
  }

  return {
    /** The simulator, or a leased world of it. Throws what to do when there is none. */
    target: targetOf,
    wire: async (world?: unknown): Promise<Wire> => createWire(await targetOf(world)),
    /** For messages. */
    url: () => target?.url ?? '',
    async start(flags: readonly string[]): Promise<ReadyLine> {
      if (own)
        throw new ToolError(
          ready
            ? `A simulator is running already, at ${ready.url}. Use it, take it back with reset_simulator, or stop it first.`
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
        lost = `The simulator that was started here has ended (${why}). `
      })
      return ready
    },
    /** Throws unless a simulator answers there and accepts the key. */
    async attach(to: { url: string } & Partial<Keys>): Promise<void> {
      if (own)
        throw new ToolError(
          'A simulator that was started here is running. Stop it first, with stop_simulator.',
        )
      const wanted = { ...keys, ...to }
      await checkTarget(wanted)
      target = wanted
    },
    /** Stops a simulator that was started here; leaves an attached one running. Resolves to what was done. */
    async stop(): Promise<string> {
      const [stopping, left] = [own, target]
      own = ready = target = undefined
      lost = ''
      if (!stopping) return left ? `left ${left.url} running` : 'there was none'
      await stopping.stop()
      return 'stopped'
    },
  }
}

/** The key of a leased world selects it, also for the control API. */
async function worldOf(target: ScenarioTarget, id: string): Promise<ScenarioTarget> {
  const path = `/_sim/worlds/${encodeURIComponent(id)}/connect`
  const reply = await createWire(target).ask('GET', path)
  const { apiKey, message } = (reply.body ?? {}) as { apiKey?: string; message?: string }
  if (reply.status === 200 && apiKey) return { ...target, apiKey, controlToken: apiKey }
  throw new ToolError(
    `${reply.status} There is no world ${id} (${message ?? reply.why ?? 'no answer'}). lease_world leases one; call with listWorlds lists them.`,
  )
}

async function checkTarget(target: ScenarioTarget): Promise<void> {
  const answer = await createWire(target).send({ method: 'GET', path: '/prime_account' })
  if (answer.cut)
    throw new ToolError(
      `No simulator answers at ${target.url} (${answer.why}). Give the url of one that runs, or start one with start_simulator.`,
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
