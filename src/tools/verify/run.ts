import { randomBytes } from 'node:crypto'
import { answerOf, createControl } from '../../clients/control/controlClient.js'
import { type Difference, short } from '../../clients/scenarios/expect.js'
import { type RunClock, Unexpected } from '../../clients/scenarios/play.js'
import { describe, type ScenarioTarget, type SentRequest } from '../../clients/scenarios/target.js'
import { packageVersion } from '../../lib/files/packageFile.js'
import { probesHash } from './corpus.js'
import { brokenPromiseOf, cellName, type Documented, readDocument } from './documented.js'
import { ledgerText, readLedger } from './fidelityRows.js'
import type { Funder } from './funding.js'
import { createPlayer, type ProbePlayer, realRunClock } from './player.js'
import type { Probe, ProbeResult } from './probe.js'
import { allProbes } from './probes/index.js'
import { isBreach, type RunReport, reportOf } from './report.js'
import {
  at,
  type Basis,
  errorCodeOf,
  NotExercised,
  type Reach,
  RunEnded,
  reaches,
  type Zero,
} from './types.js'
import { bounds, createVerifyWire, type VerifyWire } from './wire.js'

export interface VerifyOptions {
  target: ScenarioTarget
  /** How far it goes; `all` when absent. */
  reach?: Reach
  /** Funds accounts. Without it, probes that need money do not run. */
  funder?: Funder | undefined
  clock?: RunClock
  /** Selects probes. */
  only?: (probe: Probe) => boolean
  /** Called with each result at once. */
  onResult?: (result: ProbeResult) => void
  /** Called after each probe. */
  onProgress?: (done: number, of: number) => void
  limits?: Partial<typeof bounds>
}

/** No server answers, the server is another one, or it refuses the key. */
export class CannotRun extends Error {
  override name = 'CannotRun'
}

/** Rows of docs/fidelity.md that are checked with all responses together. */
export const openRows = {
  shapes: 'Shapes of answers beyond the fields of the interface',
  strangers: 'Statuses and codes beside those of the interface',
}

/** Runs the probes one after the other. Throws `CannotRun` when the first request fails. */
export async function verifyServer(options: VerifyOptions): Promise<RunReport> {
  const { target, reach = 'all', funder, clock = realRunClock, onResult, onProgress } = options
  const documented = readDocument()
  const all = allProbes(documented)
  const probes = all.filter(options.only ?? (() => true))
  const wire = createVerifyWire(target, clock, { ...bounds, ...options.limits })
  const isSimulator = await expectService(target, wire)
  const run = randomBytes(6).toString('hex')
  const serverNow = serverClock(target, { wire, clock, isSimulator })
  const { apiKey } = target
  const player = createPlayer({ wire, clock, serverNow, apiKey, run, funder })
  const measured = {
    at: new Date(clock.now()).toISOString(),
    targetVersion: await versionOf(wire),
    version: packageVersion(),
    corpus: probesHash(all),
  }
  const results: ProbeResult[] = []
  const exchanges: SentRequest[] = wire.taken()
  const add = (finding: Finding): void => {
    const result = { ...finding, at: new Date(clock.now()).toISOString() }
    results.push(result)
    onResult?.(result)
  }
  let ended: string | undefined
  for (const [index, probe] of probes.entries()) {
    const verdict = await verdictOf(probe, { player, wire, reach, ended })
    ended = verdict.ended
    const answers = wire.taken()
    exchanges.push(...answers)
    const { name, axis, cells, from } = probe
    add({ name, axis, cells, from, answers, ...verdict.verdict })
    onProgress?.(index + 1, probes.length)
  }
  for (const result of shapeResults(documented, probes, exchanges, ended)) add(result)
  // The caller promised money, so a run without it has failed its task.
  const failedFunding = player.failedFunding()
  return reportOf({
    url: target.url,
    run,
    reach,
    isSimulator,
    measured,
    ended: ended ?? (failedFunding && `the funding failed: ${failedFunding}`),
    requests: wire.requests(),
    probes: probes.length,
    results,
    cells: documented.cells,
    ledger: readLedger(ledgerText()),
  })
}

/**
 * Reads the clock of a server: of a simulator, which may have let months pass, from its control API; of others from the `Date` of their
 * responses. Falls back to the clock of this machine.
 */
export function serverClock(
  target: ScenarioTarget,
  {
    wire,
    clock,
    isSimulator,
  }: { wire: Pick<VerifyWire, 'latest'>; clock: RunClock; isSimulator: boolean },
): () => Promise<number> {
  // By its key, a leased world answers for itself.
  const control = createControl(`${target.url}/_sim`, target.apiKey)
  const simulatorTime = () =>
    answerOf(control.GET('/clock')).then(({ unix_ms }) => unix_ms, clock.now)
  return async () => {
    if (isSimulator) return simulatorTime()
    const date = Date.parse(wire.latest()?.answer.headers.date ?? '')
    return Number.isNaN(date) ? clock.now() : date
  }
}

/** The version in `/openapi.json`, if the server has one. */
async function versionOf(wire: VerifyWire): Promise<string | null> {
  const { body } = await wire.get('/openapi.json', { bearer: null }).catch((error: unknown) => {
    if (error instanceof RunEnded) return { body: null }
    throw error
  })
  wire.taken()
  const version = at(body, 'info', 'version')
  return typeof version === 'string' ? version : null
}

/** Whether the server is a simulator. Throws `CannotRun` when it is not this service at all. */
async function expectService({ url }: ScenarioTarget, wire: VerifyWire): Promise<boolean> {
  const answer = await wire.get('/networks').catch((error: unknown) => {
    if (error instanceof RunEnded)
      throw new CannotRun(`no server answers at ${url}: ${error.message}`)
    throw error
  })
  if (answer.cut) throw new CannotRun(`no server answers at ${url} (${answer.why})`)
  if (answer.status === 401)
    throw new CannotRun(
      `${url} refuses the API key: ${describe(answer)}. Give another with --api-key.`,
    )
  if (typeof answer.body !== 'object' || answer.body === null)
    throw new CannotRun(
      `the server at ${url} is not this service: GET /networks is ${answer.status} ${answer.headers['content-type'] ?? ''} ${short(answer.body)}`,
    )
  return 'x-svc-sim-request-id' in answer.headers
}

type Finding = Omit<ProbeResult, 'at'>
type Verdict = Pick<ProbeResult, 'outcome'> &
  Partial<Pick<ProbeResult, 'zero' | 'why' | 'difference'>>

/** The outcome of a probe, and why the run has ended if it has. */
async function verdictOf(
  probe: Probe,
  parts: { player: ProbePlayer; wire: VerifyWire; reach: Reach; ended: string | undefined },
): Promise<{ verdict: Verdict; ended?: string | undefined }> {
  const { player, wire, reach, ended } = parts
  if (ended !== undefined) return { verdict: notExercised(ended), ended }
  if (reaches.indexOf(probe.reach) > reaches.indexOf(reach))
    return { verdict: notExercised(`--only ${reach} leaves it out`) }
  try {
    await player.play(probe)
    return { verdict: { outcome: 'conforms' } }
  } catch (error) {
    if (error instanceof NotExercised) return { verdict: notExercised(error.message, error.zero) }
    if (error instanceof RunEnded)
      return { verdict: notExercised(error.message), ended: error.message }
    const difference = error instanceof Unexpected ? error.difference : undefined
    return { verdict: differing(probe.from, difference ?? unreadable(wire)) }
  }
}

/** For a response without the basic form that all probes need, such as a list. */
function unreadable(wire: VerifyWire): Difference {
  const latest = wire.latest()
  const where = latest ? `${latest.method} ${latest.path}` : 'the answers before'
  const latestAnswer = latest ? describe(latest.answer) : 'none'
  return { where, expected: 'an answer that can be gone on with', seen: latestAnswer }
}

function notExercised(why: string, zero: Zero = 'not driven'): Verdict {
  return { outcome: 'not exercised', zero, why }
}

function differing(from: Basis, difference: Difference) {
  const outcome = 'differs' as const
  const zero: Zero = isBreach({ outcome, from }) ? 'violating' : 'not recorded'
  return { outcome, zero, from, difference }
}

/** Checks all responses together: each must be documented, with the shape of its cell. */
function shapeResults(
  documented: Documented,
  probes: readonly Probe[],
  exchanges: readonly SentRequest[],
  ended: string | undefined,
): Finding[] {
  const probedCells = new Set(probes.flatMap(({ cells }) => cells))
  const byCell = new Map<string, SentRequest[]>()
  const strangers: SentRequest[] = []
  for (const exchange of exchanges) {
    const { method, path, answer } = exchange
    const cell = documented.cellOf(method, path, answer.status, errorCodeOf(answer))
    if (cell) byCell.set(cellName(cell), [...(byCell.get(cellName(cell)) ?? []), exchange])
    else if (documented.templateOf(method, path) !== undefined && !answer.cut)
      strangers.push(exchange)
  }
  const shapes = documented.cells.flatMap((cell): Finding[] => {
    const name = cellName(cell)
    if (!probedCells.has(name)) return []
    const parts = {
      name: `the body of ${name} is as the document has it`,
      axis: 'shapes' as const,
      cells: [name],
      from: cell.source === 'interface' ? { interface: 'Endpoints' } : { public: 'endpoints' },
      row: openRows.shapes,
      answers: [],
    }
    const answers = byCell.get(name) ?? []
    const [wrong] = answers.flatMap((each) => wrongShape(documented, each) ?? [])
    if (wrong) return [{ ...parts, ...wrong }]
    if (answers.length > 0) return [{ ...parts, outcome: 'conforms' }]
    return [{ ...parts, ...notExercised(ended ?? 'no answer of this run was one') }]
  })
  return [strangerResult(strangers), ...shapes]
}

/** The first difference of a response from the document. Beyond the interface's promises, the document records our own choices. */
function wrongShape(documented: Documented, exchange: SentRequest) {
  const where = `${exchange.method} ${exchange.path}`
  const broken = brokenPromiseOf(exchange)
  if (broken !== undefined) {
    const expected = 'a body as the interface has it'
    return differing({ interface: 'Resources and their fields' }, { where, expected, seen: broken })
  }
  const [problem] = documented.problemsOf(exchange)
  if (problem === undefined) return undefined
  return differing(
    { judgement: openRows.shapes },
    { where, expected: 'a body as documented', seen: problem },
  )
}

function strangerResult(strangers: readonly SentRequest[]): Finding {
  const parts = {
    name: 'every answer is one of those that the document has',
    axis: 'codes' as const,
    cells: [],
    from: { judgement: openRows.strangers },
    answers: [],
  }
  const [first] = strangers
  if (!first) return { ...parts, outcome: 'conforms' }
  const where = [...new Set(strangers.map(({ method, path }) => `${method} ${path.split('?')[0]}`))]
  const difference = {
    where: where.slice(0, 5).join(', '),
    expected: 'a documented status and code',
    seen: describe(first.answer),
  }
  return { ...parts, ...differing(parts.from, difference) }
}
