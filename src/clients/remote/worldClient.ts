import type { Time } from '../../control/time.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import {
  answerOf,
  type ControlSchemas,
  createControl,
  RefusedError,
} from '../control/controlClient.js'
import type { Sim, SimClock, SimFaults } from './sim.js'

/** The address of a world; the default world has one too. */
export interface WorldAddress {
  /** Base URL of the service API. */
  url: string
  /** The API key. It selects the world, also as bearer token for `/_sim` and `/rpc`. */
  apiKey: string
  /** Base URL of the control API of this world. */
  controlUrl: string
  /** JSON-RPC URL of a network of this world (HTTP; the same path speaks WebSocket). */
  rpc(network: NetworkName): string
}

/** A world that is reached over HTTP, wherever it runs. */
export interface WorldClient extends Sim {
  faults: SimFaults<Promise<RuleView[]>>
  clock: SimClock<Promise<Date>, Promise<Time>>
}

/**
 * The world at this place; `close` ends it. A leased world takes its key for a control token, the first one may ask for another. `next` says
 * what to do when nothing answers there any more.
 */
export function worldAt(
  place: WorldAddress,
  close: () => Promise<void>,
  controlToken = place.apiKey,
  next?: string,
): WorldClient {
  const control = createControl(place.controlUrl, controlToken, {}, next)
  const named = (id: string) => ({ params: { path: { id } } })
  const timeOf = async (call: Promise<{ data?: WireTime }>): Promise<Time> => {
    const { now, unix_ms: ms, mode } = await answerOf(call)
    return { now, ms, mode }
  }
  const { url, apiKey, controlUrl } = place
  return {
    ...place,
    apiKeys: [apiKey],
    docsUrl: `${url}/docs`,
    uiUrl: `${controlUrl}/ui/`,
    close,
    [Symbol.asyncDispose]: close,
    fund: (request) => answerOf(control.POST('/fund', { body: request as ControlSchemas['Fund'] })),
    snapshot: async (name) =>
      (await answerOf(control.POST('/snapshots', { body: name === undefined ? {} : { name } }))).id,
    restore: async (name) => void (await control.POST('/snapshots/{id}/restore', named(name))),
    reset: async () => void (await control.POST('/reset')),
    snapshots: {
      list: async () =>
        (await answerOf(control.GET('/snapshots'))).snapshots.map(({ name, ...rest }) => ({
          ...rest,
          name: name ?? undefined,
        })),
      delete: async (name) => void (await control.DELETE('/snapshots/{id}', named(name))),
    },
    faults: {
      add: (rule) =>
        answerOf(control.POST('/faults', { body: rule as ControlSchemas['FaultRule'] })),
      set: async (rules) =>
        (await answerOf(control.PUT('/faults', { body: rules as ControlSchemas['FaultRule'][] })))
          .faults,
      list: async () => (await answerOf(control.GET('/faults'))).faults,
      remove: (rule) => control.DELETE('/faults/{id}', named(rule)).then(() => true, falseWhenGone),
      clear: async () => void (await control.DELETE('/faults')),
    },
    clock: {
      now: async () => new Date((await timeOf(control.GET('/clock'))).ms),
      time: () => timeOf(control.GET('/clock')),
      advance: (seconds) => timeOf(control.POST('/clock/advance', { body: { seconds } })),
      freeze: (atMs) =>
        timeOf(
          control.POST('/clock/freeze', {
            body: atMs === undefined ? {} : { at: new Date(atMs).toISOString() },
          }),
        ),
      resume: () => timeOf(control.POST('/clock/resume')),
      auto: () => timeOf(control.POST('/clock/auto')),
      wait: (seconds, signal) =>
        timeOf(control.POST('/clock/wait', { body: { seconds }, ...(signal && { signal }) })),
    },
  }
}

type WireTime = { now: string; unix_ms: number; mode: Time['mode'] }

function falseWhenGone(error: unknown): boolean {
  if (error instanceof RefusedError && error.status === 404) return false
  throw error
}
