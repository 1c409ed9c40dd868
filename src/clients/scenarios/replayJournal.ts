import { setScene } from './cast.js'
import { parseScenario, ScenarioFileError } from './load.js'
import { known, type Play } from './play.js'
import { resolve } from './references.js'
import { newPlay, stepName } from './run.js'
import { type SavedRequest, type SavedScenario, withReferences } from './savedRun.js'
import type { Scenario, Step } from './schema.js'
import { runStep } from './steps.js'
import { createWire, type ScenarioTarget, type SentRequest } from './target.js'

/** The status, and the code of a refusal. */
interface ShortAnswer {
  status: number
  error: string | null
}

/** A step of the replay, beside its original in the journal. */
export interface ReplayStep {
  /** `plan`, `execute`, `advance`...: the word of the scenario file. */
  step: string
  /** Of the exchange in the journal; null for the change, and for waiting. */
  cursor: number | null
  /** Method and URL. */
  asked: string | null
  original: ShortAnswer | null
  twin: ShortAnswer | null
  /** Why the step failed or differs from the journal. */
  problem: string | null
}

export interface ReplayRun {
  /** The ids and addresses of the replay, by those of the journal. */
  twins: Record<string, string>
  /** The change, and everything after it. */
  steps: ReplayStep[]
}

/** The replay differs before the change; the message says where. */
export class NotTheSameError extends Error {
  override name = 'NotTheSameError'
}

/** The change cannot be made; the message says which step, and why. */
export class WrongChangeError extends Error {
  override name = 'WrongChangeError'
}

interface ReplayOptions {
  /** Cursor of the first exchange after the change. */
  before: number
  /** Steps of a scenario, with ids of the journal. */
  change: readonly unknown[]
  signal: AbortSignal
}

/**
 * Replays a journal in an empty world up to an exchange, makes the change, and replays the rest whatever happens. Rejects with
 * `NotTheSameError` when the replay differs before the change.
 */
export async function replayJournal(
  target: ScenarioTarget,
  saved: SavedScenario,
  { before, change, signal }: ReplayOptions,
): Promise<ReplayRun> {
  const at = saved.requests.findIndex((recorded) => (recorded?.cursor ?? 0) >= before)
  const split = at < 0 ? saved.requests.length : at
  const { when, ...rest } = saved.scenario as { when: unknown[] }
  const changed = withReferences(change, saved.references)
  const steps = [...when.slice(0, split), ...changed, ...when.slice(split)]
  const scenario = parsed({ ...rest, when: steps }, split)
  const wire = createWire(target)
  const play = newPlay(wire, await setScene(wire, scenario), scenario)

  const done = async (step: Step): Promise<Attempt> => {
    signal.throwIfAborted()
    const sent = wire.exchanges.length
    const problem = await runStep(play, step).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { problem, recorded: wire.exchanges[sent] }
  }
  for (const step of scenario.when.slice(0, split)) {
    const { problem } = await done(step)
    if (problem !== undefined) throw new NotTheSameError(`${stepName(step)}: ${problem}`)
  }
  const replayed: ReplayStep[] = []
  for (const [i, step] of scenario.when.slice(split).entries()) {
    const attempt = await done(step)
    if (i < change.length && attempt.problem !== undefined)
      throw new WrongChangeError(`change.${i} (${stepName(step)}): ${attempt.problem}`)
    const recorded = i < change.length ? undefined : saved.requests[split + i - change.length]
    replayed.push(replayStep(step, recorded, attempt))
  }
  return { twins: twinsOf(saved, play), steps: replayed }
}

/** Only the change can be wrong: the rest was made from a journal. */
function parsed(scenario: object, split: number): Scenario {
  try {
    return parseScenario(JSON.stringify(scenario), 'change')
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    const place = /^change:\d+:\d+ when\.(\d+)/gm
    throw new WrongChangeError(
      error.message.replaceAll(place, (_, i: string) => `change.${Number(i) - split}`),
    )
  }
}

interface Attempt {
  problem: string | undefined
  recorded: SentRequest | undefined
}

function replayStep(
  step: Step,
  original: SavedRequest | undefined,
  { problem, recorded }: Attempt,
): ReplayStep {
  const answer = original?.answer
  return {
    step: stepName(step),
    cursor: original?.cursor ?? null,
    asked: original ? `${original.method} ${original.url}` : null,
    original: answer && !answer.cut ? shortAnswer(answer) : null,
    twin: recorded && !recorded.answer.cut ? shortAnswer(recorded.answer) : null,
    problem: problem ?? null,
  }
}

function shortAnswer({ status, body }: { status: number; body?: unknown }): ShortAnswer {
  const code = (body as { error?: unknown } | null | undefined)?.error
  return { status, error: typeof code === 'string' ? code : null }
}

/** Of everything that exists in both. */
function twinsOf({ references }: SavedScenario, play: Play): Record<string, string> {
  const values = known(play)
  const twins = [...references].flatMap(([id, reference]) => {
    try {
      const twin = resolve(reference, values)
      return typeof twin === 'string' ? [[id, twin] as const] : []
    } catch {
      // A refused request of the replay has no id.
      return []
    }
  })
  return Object.fromEntries(twins)
}
