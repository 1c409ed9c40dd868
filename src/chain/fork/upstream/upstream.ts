import type { NetworkName } from '../../../deployments/networks.js'
import { manyAborted } from '../../../lib/abort.js'
import {
  type Budget,
  type Call,
  createBudget,
  createPacedEndpoint,
  type PacedEndpoint,
  type PinnedBlock,
  SpentError,
  Trouble,
} from './pacedEndpoint.js'

/** The RPC endpoints that a network is forked from. Only read from. */
export interface Upstream {
  network: NetworkName
  /** The hosts that may be shown. */
  host: string
  /** The number of requests. */
  readonly sent: number
  /** Whether a request is in progress. */
  readonly isAsked: boolean
  /** Rejects with `UpstreamFailure` when no endpoint returns a valid result in time. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>
  /** From now on uses only endpoints that have this block, so that answers never come from two chains. */
  pin(block: PinnedBlock): void
  /** How long one request may take, with retries and pauses. */
  patienceMs: number
  /** Aborts all requests. */
  close(): void
}

export interface UpstreamOptions {
  /** Limits one attempt; shorter than the time for a folio, so that its error can name the reason. */
  answerWithinMs?: number
  patienceMs?: number
  budget?: Budget
  /** Called with remarks for the user, at most once per endpoint. */
  say?: (remark: string) => void
}

/** The message names the network and hosts, the reasons, and what to do. */
class UpstreamFailure extends Error {
  override name = 'UpstreamFailure'
}

/** Tries the endpoint that answered last, then the others. */
export function createUpstream(
  network: NetworkName,
  urls: readonly string[],
  options: UpstreamOptions = {},
): Upstream {
  const { answerWithinMs = 15_000, budget = createBudget(undefined), say = () => {} } = options
  const closing = manyAborted()
  const { signal } = closing
  let [sent, asking] = [0, 0]
  let first = 0
  let pinned: PinnedBlock | undefined
  const onSend = (): void => {
    sent++
  }
  const shared = { answerWithinMs, budget, signal, say, onSend }
  const members = urls.map((url) => createPacedEndpoint(url, shared))
  let patienceMs = options.patienceMs ?? 20_000

  /** Tries each endpoint; skips paused ones while others are available. */
  async function round(call: Call, until: number): Promise<{ result: unknown } | Troubles> {
    const troubles: Troubles = new Map()
    for (const member of [...members.slice(first), ...members.slice(0, first)]) {
      const isLast = troubles.size === members.length - 1
      const waits = member.pausedUntil > performance.now()
      try {
        if (waits && !isLast) throw new Trouble('which limits the rate of requests', true)
        const result = await member.ask(call, until, pinned)
        first = members.indexOf(member)
        return { result }
      } catch (error) {
        if (error instanceof SpentError) throw failure(network, new Map([[member, error]]))
        if (!(error instanceof Trouble)) throw error
        troubles.set(member, error)
      }
    }
    return troubles
  }

  return {
    network,
    host: members.map(({ host }) => host).join(', '),
    async ask<T>(method: string, params: readonly unknown[]) {
      asking++
      try {
        const until = performance.now() + patienceMs
        for (;;) {
          const end = await round({ method, params }, until)
          if ('result' in end) return end.result as T
          const mayWait = [...end.values()].some(({ isBusy }) => isBusy)
          const next = Math.min(...members.map(({ pausedUntil }) => pausedUntil))
          if (!mayWait || signal.aborted || next > until) throw failure(network, end)
        }
      } finally {
        asking--
      }
    },
    pin(block) {
      pinned = block
    },
    get sent() {
      return sent
    },
    get isAsked() {
      return asking > 0
    },
    get patienceMs() {
      return patienceMs
    },
    set patienceMs(ms) {
      patienceMs = ms
    },
    close() {
      closing.abort()
      for (const member of members) member.close()
    },
  }
}

type Troubles = Map<PacedEndpoint, Trouble>

function failure(
  network: NetworkName,
  troubles: ReadonlyMap<PacedEndpoint, Error>,
): UpstreamFailure {
  const reasons = [...troubles].map(([{ host }, { message }]) => `${host}, ${message}`)
  const isSpent = [...troubles.values()].some((error) => error instanceof SpentError)
  const cure = isSpent
    ? ''
    : `. Check that the endpoint runs, or start again with another --fork ${network}=URL or without it`
  return new UpstreamFailure(`${network} is forked from ${reasons.join('; from ')}${cure}`)
}
