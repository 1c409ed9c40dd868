import { methodOf } from '../../chain/rpc/methods.js'
import { isSnapshotMethod, snapshotIdOf } from '../../control/rpcSnapshots.js'
import { jsonOrText } from '../../lib/json.js'
import { activityIn, savedExecution } from './executions.js'
import { reasonLeftOut, reasonOfOtherRuns } from './leftOut.js'
import { activityOf, expectedAnswer, isAbandoned, wrongSignatures } from './requestFacts.js'
import {
  isObject,
  namesInside,
  type SavedRequest,
  type SavedRun,
  type SavedScenario,
  stepNames,
  withReferences,
} from './savedRun.js'
import { TimedSteps } from './timedSteps.js'

/** Makes a scenario that repeats the requests with its own accounts, waits for what ended by itself, and expects the same. */
export async function scenarioOfJournal(run: SavedRun): Promise<SavedScenario> {
  const saving = new Saving(run, await wrongSignatures(run.exchanges))
  for (const recorded of run.exchanges) saving.take(recorded)
  const { accounts, steps, checks, ...others } = saving.done()
  const first = others.requests.find((recorded) => recorded !== undefined) ?? run.exchanges[0]
  return {
    scenario: {
      name: run.name,
      given: {
        ...(run.clock === 'frozen' && first ? { clock: `frozen@${first.at}` } : {}),
        ...(run.clock === 'auto' ? { clock: 'auto' } : {}),
        accounts: Object.fromEntries(accounts.map((name) => [name, {}])),
      },
      when: steps,
      // biome-ignore lint/suspicious/noThenProperty: the file format's word (given, when, then); never awaited.
      then: checks,
    },
    ...others,
  }
}

type Fields = Record<string, unknown>

interface RecordedCall {
  recorded: SavedRequest
  /** The id in its path. */
  id: string
  sent: Fields
  got: Fields
}

/** Builds the steps, and maps ids of the journal to their names. */
class Saving {
  private readonly end: number
  private readonly wrongSignatures: ReadonlyMap<SavedRequest, string>
  private readonly accounts: string[] = []
  private readonly steps: TimedSteps
  private readonly requests: (SavedRequest | undefined)[] = []
  private readonly leftOut: (readonly [number, string])[] = []
  private readonly notExpected: string[] = []
  private readonly repeated = new Set<number>()
  /** Of the request that is taken. */
  private cursor = 0
  /** References by texts of the journal. */
  private readonly references = new Map<string, string>()
  private readonly accountNames = new Map<string, string>()
  private readonly planNames = new Map<string, string>()
  private readonly newName = stepNames()
  /** Activities that no step has named yet: the responses of their executions were lost, or they are left out. */
  private readonly lost = new Set<string>()
  private readonly snapshots = new Map<string, string>()

  constructor(run: SavedRun, wrongSignatures: ReadonlyMap<SavedRequest, string>) {
    this.end = run.end ?? Number.POSITIVE_INFINITY
    this.steps = new TimedSteps(run)
    this.wrongSignatures = wrongSignatures
  }

  take(recorded: SavedRequest) {
    const why = reasonLeftOut(recorded)
    this.cursor = recorded.of ?? recorded.cursor
    if (!recorded.answer) return this.skip(recorded, why!)
    this.steps.reach(recorded)
    this.standFor(undefined)
    const before = this.steps.all.length + this.accounts.length
    const [path = ''] = recorded.url.split('?')
    if (why !== undefined) this.skip(recorded, why)
    else if (path.startsWith('/_sim')) this.takeControl(recorded, path)
    else if (path.startsWith('/rpc/')) this.takeRpc(recorded, path)
    else this.takeService(recorded, path)
    this.standFor(recorded)
    if (this.steps.all.length + this.accounts.length > before) this.repeated.add(this.cursor)
    this.steps.leave(recorded)
  }

  private standFor(recorded: SavedRequest | undefined): void {
    while (this.requests.length < this.steps.all.length) this.requests.push(recorded)
  }

  private skip({ method, url, notes }: SavedRequest, why: string): void {
    for (const id of activityOf(notes)) this.lost.add(id)
    this.leftOut.push([this.cursor, `${method} ${url}: ${why}`])
  }

  done() {
    const checks = this.steps.finish()
    this.standFor(undefined)
    const { accounts, requests, references, leftOut, notExpected, repeated } = this
    // A rule may have been added before the account that it was narrowed to.
    const opened = [...references].filter(([, reference]) => reference.startsWith('{{account_'))
    const steps = withReferences(this.steps.all, new Map(opened))
    return { accounts, steps, requests, references, leftOut, notExpected, repeated, checks }
  }

  private takeService(recorded: SavedRequest, path: string): void {
    const { method, body, answer } = recorded
    const [, accountId = '', kind] =
      /^\/accounts\/(acc_[0-9A-Za-z]{12,32})(?:\/plan\/([a-z-]+))?/.exec(path) ?? []
    const account = this.accountNames.get(accountId)
    const isPlan = method === 'POST' && account !== undefined && isObject(body)
    if (method === 'POST' && path === '/accounts' && answer?.status === 201)
      this.openAccount(answer.body as Fields)
    else if (isPlan && kind === 'execute') this.execute(recorded, account)
    else if (isPlan && kind !== undefined) this.plan(recorded, account, kind)
    else this.call(recorded)
  }

  private openAccount(made: Fields): void {
    const { account_id: id, signer_address: signer, svc_wallet_address: wallet } = made
    const name = `account_${this.accounts.length + 1}`
    this.accounts.push(name)
    this.accountNames.set(String(id), name)
    for (const [text, field] of [
      [id, 'id'],
      [signer, 'signer'],
      [wallet, 'wallet'],
    ] as const)
      for (const form of new Set([String(text), String(text).toLowerCase()]))
        this.references.set(form, `{{${name}.${field}}}`)
  }

  private plan(recorded: SavedRequest, account: string, kind: string): void {
    const as = this.newName(kind)
    const id = (recorded.answer?.body as Fields | undefined)?.plan_id
    this.push('plan', recorded, {
      ...(id === undefined ? {} : { as }),
      account,
      kind,
      body: this.named(recorded.body),
    })
    if (typeof id !== 'string') return
    this.planNames.set(id, as)
    this.references.set(id, `{{${as}.body.plan_id}}`)
  }

  private execute(recorded: SavedRequest, account: string): void {
    const { body, answer } = recorded
    const { plan_id: planId, signature: sent } = (isObject(body) ? body : {}) as Fields
    const plan = this.planNames.get(String(planId))
    if (plan === undefined || !/^0x[0-9a-f]{130}$/i.test(String(sent))) {
      this.call(recorded)
      return
    }
    const answered = (answer?.body ?? {}) as Fields
    const as = this.newName(`execute_${plan}`)
    const signature = this.wrongSignatures.get(recorded)
    this.push('execute', recorded, { as, plan, account, ...(signature && { signature }) })
    const [activityId = answered.activity_id] = activityOf(recorded.notes)
    if (typeof activityId !== 'string') return
    // The play waits for the response that its client did not wait for.
    const isNamed = activityId === answered.activity_id || isAbandoned(recorded)
    if (isNamed) this.references.set(activityId, `{{${as}.body.activity_id}}`)
    else this.lost.add(activityId)
    const step = { name: isNamed ? as : undefined, account, activityId }
    this.steps.execute(savedExecution(recorded, step, this.end))
  }

  private call(recorded: SavedRequest): void {
    const { method, url, body, headers } = recorded
    const hadBody = Number(headers['content-length'] ?? 0) > 0
    if ((typeof body === 'string' && body !== '') || (body === undefined && hadBody)) {
      this.skip(recorded, 'its body is no JSON, or was not kept')
      return
    }
    const path = this.named(url.replace(/([?&])poll=true&?/, '$1').replace(/[?&]$/, ''))
    const isHidden = [...this.lost].some((each) => path.includes(each))
    if (isHidden) {
      this.skip(recorded, 'no response before it named its activity')
      return
    }
    const [id, place] = activityIn(recorded, this.lost, this.steps.executed)
    const as = id && this.newName('found')
    const sent = body === undefined ? {} : { body: this.named(body) }
    this.push('call', recorded, { ...(as && { as }), method, path, ...sent })
    if (id === undefined) return
    this.lost.delete(id)
    this.references.set(id, `{{${as}.body.${place}}}`)
  }

  private readonly controls: Record<string, (call: RecordedCall) => void> = {
    'POST /_sim/clock/advance': ({ sent }) => this.steps.advance(sent.seconds),
    'PUT /_sim/prices/:id': ({ sent, id }) => this.steps.push({ price: { [id]: sent.usd } }),
    'POST /_sim/faults': ({ recorded, got }) => this.arm([got], recorded),
    'PUT /_sim/faults': ({ recorded, got }) => {
      this.steps.heal(true, recorded)
      this.arm(got.faults as unknown[], recorded)
    },
    'DELETE /_sim/faults': ({ recorded }) => this.steps.heal(true, recorded),
    'DELETE /_sim/faults/:id': ({ recorded, id }) => this.steps.heal(id, recorded),
    'POST /_sim/snapshots': ({ got }) => this.snapshot(got),
    'DELETE /_sim/snapshots/:id': () => {},
    'POST /_sim/snapshots/:id/restore': ({ id }) => this.restore(id),
    'POST /_sim/fund': ({ recorded, sent }) => this.fund(recorded, sent),
  }

  private takeControl(recorded: SavedRequest, path: string): void {
    const { method, body, answer } = recorded
    if (method === 'GET' || method === 'HEAD' || (answer?.status ?? 500) >= 400) return
    const [, part, id = ''] = /^\/_sim\/(prices|snapshots|faults)\/([^/]+)/.exec(path) ?? []
    const route = part === undefined ? path : path.replace(`${part}/${id}`, `${part}/:id`)
    const known = this.controls[`${method} ${route}`]
    const sent = isObject(body) ? body : {}
    const got = (answer?.body ?? {}) as Fields
    const others = reasonOfOtherRuns(path)
    if (known) known({ recorded, id: decodeURIComponent(id), sent, got })
    else if (others) this.skip(recorded, others)
    else this.call(recorded)
  }

  /** Requests that change the chain over JSON-RPC. A refused one changes nothing. */
  private takeRpc(recorded: SavedRequest, path: string): void {
    const { body, answer } = recorded
    const [, , network = ''] = path.split('/')
    const answers = [answer?.body].flat() as ({ error?: unknown } | undefined)[]
    for (const [place, sent] of ([body].flat() as (Fields | undefined)[]).entries()) {
      const { method, params = [] } = sent ?? {}
      if (typeof method !== 'string' || !Array.isArray(params)) {
        this.skip(recorded, 'its body was not kept')
        continue
      }
      if (answers[place]?.error !== undefined) continue
      const { result } = (answers[place] ?? {}) as { result?: unknown }
      if (isSnapshotMethod(method)) this.takeRpcSnapshot(method, params, result)
      else if (namesInside(params, this.references))
        this.leftOut.push([
          this.cursor,
          `${method} over /rpc/${network}: its calldata or its signature has an address of an account, which is another one in the scenario`,
        ])
      else this.steps.push({ rpc: { network, method, params: this.named(params) } })
    }
  }

  /** A snapshot of the world over JSON-RPC. A revert whose result is false has changed nothing. */
  private takeRpcSnapshot(method: string, [id]: readonly unknown[], result: unknown): void {
    if (methodOf(method).turn === 'snapshot') this.snapshot({ id: snapshotIdOf(result) })
    else if (result !== false) this.restore(snapshotIdOf(id) ?? String(id))
  }

  private fund(recorded: SavedRequest, { account_id: id, ...funds }: Fields): void {
    const account = this.accountNames.get(String(id))
    if (account === undefined) this.call(recorded)
    else this.steps.push({ fund: { account, ...funds } })
  }

  /** With their ids, so that later steps can remove them. */
  private arm(rules: readonly unknown[], recorded: SavedRequest): void {
    for (const rule of rules) {
      const { seen: _, hits: __, ends: ___, over: ____, used: _____, ...given } = rule as Fields
      this.steps.push({ fault: this.named(given) })
      this.steps.arm(given, recorded)
    }
  }

  private snapshot({ id, name }: Fields): void {
    const as = `snapshot_${this.snapshots.size + 1}`
    this.snapshots.set(String(id), as)
    if (typeof name === 'string') this.snapshots.set(name, as)
    this.steps.push({ snapshot: as })
  }

  private restore(idOrName: string): void {
    const snapshot = this.snapshots.get(idOrName)
    if (snapshot !== undefined) this.steps.push({ restore: snapshot })
    else this.leftOut.push([this.cursor, `restore of ${idOrName}: it was taken before`])
  }

  private push(step: 'plan' | 'execute' | 'call', recorded: SavedRequest, fields: Fields): void {
    const fault = recorded.headers['x-svc-sim-fault']
    const states = this.steps.statesShown(recorded)
    const shown = states.filter(({ doubt }) => doubt === undefined)
    this.notExpected.push(...states.flatMap(({ doubt }) => doubt ?? []))
    const where = shown.length > 0 && { where: this.named(shown) }
    const expect = { ...expectedAnswer(recorded), ...where }
    const armed = fault === undefined ? {} : { fault: jsonOrText(fault) }
    this.steps.push({ [step]: { ...fields, ...armed, expect } })
  }

  private named<T>(value: T): T {
    return withReferences(value, this.references)
  }
}
