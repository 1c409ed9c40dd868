import { setScene } from './cast.js'
import { parseScenario, ScenarioFileError } from './load.js'
import { known, type Play } from './play.js'
import { resolve } from './references.js'
import { newPlay, stepName } from './run.js'
import { type SavedRequest, type SavedScenario, withReferences } from './savedRun.js'
import type { Scenario, Step } from './schema.js'
import { runStep } from './steps.js'
import { createWire, type ScenarioTarget, type SentRequest } from './target.js'

/** How something was answered: the status, and the code of a refusal. Null without a complete answer. */
interface ShortAnswer {
  status: number
  error: string | null
}

/** One thing that was done in the twin, beside what it had come to in the journal. */
export interface ReplayStep {
  /** `plan`, `execute`, `advance`...: the word of the scenario file. */
  step: string
  /** Of the exchange in the journal; null for what was changed, and for waiting. */
  cursor: number | null
  /** What was asked, without the body. */
  asked: string | null
  original: ShortAnswer | null
  twin: ShortAnswer | null
  /** Why it could not be done, or went otherwise than in the journal. */
  problem: string | null
}

/** What became of a journal that was asked again elsewhere, with a change in its middle. */
export interface ReplayRun {
  /** What the twin has for an id or address of the journal. */
  twins: Record<string, string>
  /** What was changed, and everything behind it. */
  steps: ReplayStep[]
}

/** The journal cannot be asked again as it was; the message says where the two part. */
export class NotTheSameError extends Error {
  override name = 'NotTheSameError'
}

/** A change that cannot be made; the message says which, and why. */
export class WrongChangeError extends Error {
  override name = 'WrongChangeError'
}

/** Where the twin parts from the journal, and how. */
interface ReplayOptions {
  /** Cursor of the first exchange that is asked under changed circumstances. */
  before: number
  /** Steps of a scenario; ids of the journal stand for what the twin has in their place. */
  change: readonly unknown[]
  /** Ends it between two steps. */
  signal: AbortSignal
}

/**
 * Asks in an empty world what the journal has, up to before an exchange; then makes the change, and goes on with the rest, whatever
 * comes of it. Rejects with `NotTheSameError` when something goes otherwise before the change.
 */
export async function replayJournal(
  target: ScenarioTarget,
  saved: SavedScenario,
  { before, change, signal }: ReplayOptions,
): Promise<ReplayRun> {
  const at = saved.asked.findIndex((recorded) => (recorded?.cursor ?? 0) >= before)
  const split = at < 0 ? saved.asked.length : at
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
    const recorded = i < change.length ? undefined : saved.asked[split + i - change.length]
    replayed.push(replayStep(step, recorded, attempt))
  }
  return { twins: twinsOf(saved, play), steps: replayed }
}

/** What is wrong with it is the change: the rest was made from a journal. */
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

/** Of what came to be in both. */
function twinsOf({ references }: SavedScenario, play: Play): Record<string, string> {
  const values = known(play)
  const twins = [...references].flatMap(([id, reference]) => {
    try {
      const twin = resolve(reference, values)
      return typeof twin === 'string' ? [[id, twin] as const] : []
    } catch {
      // What was refused in the twin has no id there.
      return []
    }
  })
  return Object.fromEntries(twins)
}
