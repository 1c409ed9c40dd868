import { referencesIn } from './references.js'
import type { Check, Expectation, Rule, Scenario, Step } from './schema.js'

/** The names of one version of the simulator. Another version may have other kinds and effects. */
export interface Vocabulary {
  /** Plan kinds, as paths name them. */
  kinds: readonly string[]
  /** Why a fault rule, or the text of one that a request carries, is refused. */
  ruleProblem(rule: unknown): string | undefined
}

export interface NameProblem {
  path: readonly PropertyKey[]
  why: string
}

const accountFields = ['id', 'wallet', 'signer', 'key', 'wallet_lower', 'signer_lower']

/** The names that are known at a place of the file. */
type Names = Record<'account' | 'step' | 'snapshot' | 'fault', Set<string>>

const meanings: Record<keyof Names, string> = {
  account: 'the name of an account in given.accounts',
  step: 'the name of an earlier step (as)',
  snapshot: 'the name of an earlier snapshot step',
  fault: 'the id of a fault rule that the file has armed before',
}

/**
 * The uses of names that no earlier part defines: accounts, steps by their `as`, snapshots and fault rules; with a vocabulary also plan
 * kinds and effects. Requests that are expected to be refused may use unknown names.
 */
export function nameProblems(scenario: Scenario, words?: Vocabulary): NameProblem[] {
  const names = createNames(scenario, words)
  const { given, faults, when, then } = scenario
  given.positions.forEach((position, i) => {
    const path = ['given', 'positions', i]
    names.use('account', position.account, [...path, 'account'])
    names.useKind(position.plan, [...path, 'plan'])
    names.useReferences(position.body, [...path, 'body'])
  })
  given.setup?.steps.forEach((step, i) => {
    names.useInStep(step, ['given', 'setup', 'steps', i])
  })
  faults.forEach((rule, i) => {
    names.arm(rule, ['faults', i])
  })
  when.forEach((step, i) => {
    names.useInStep(step, ['when', i])
  })
  then.forEach((check, i) => {
    names.useInCheck(check, ['then', i])
  })
  return names.problems
}

function createNames({ given, when }: Scenario, words?: Vocabulary) {
  const problems: NameProblem[] = []
  const known: Names = {
    account: new Set(Object.keys(given.accounts)),
    step: new Set(),
    snapshot: new Set(),
    fault: new Set(),
  }
  // Requests to the control API may arm rules that the file does not name.
  const armsByRequest = when.some(({ call }) => call && /^\/_sim|\{\{/.test(call.path))
  let hasNamelessRule = false

  const use = (kind: keyof Names, name: string | undefined, path: readonly PropertyKey[]): void => {
    if (name === undefined || known[kind].has(name)) return
    const have = [...known[kind]].join(', ') || 'none'
    problems.push({ path, why: `"${name}" is not ${meanings[kind]}; known: ${have}` })
  }
  const useFault = (id: string, path: readonly PropertyKey[]): void => {
    const mayBeThere = armsByRequest || id.includes('{{')
    if (!mayBeThere && !(hasNamelessRule && /^fault_\d+$/.test(id))) use('fault', id, path)
  }
  const useReferences = (value: unknown, at: readonly PropertyKey[]): void => {
    for (const { reference, path } of referencesIn(value, at)) {
      const why = referenceProblem(reference, known)
      if (why !== undefined) problems.push({ path, why: `{{${reference}}}: ${why}` })
    }
  }
  const useKind = (kind: string, path: readonly PropertyKey[]): void => {
    if (!words || kind.includes('{{') || words.kinds.includes(kind)) return
    problems.push({
      path,
      why: `there is no plan kind "${kind}"; kinds: ${words.kinds.join(', ')}`,
    })
  }
  const useRule = (rule: string | Rule, path: readonly PropertyKey[]): void => {
    const why = hasReferences(rule) ? undefined : words?.ruleProblem(rule)
    if (why !== undefined) problems.push({ path, why })
  }
  const arm = (rule: Rule, path: readonly PropertyKey[]): void => {
    useReferences(rule, path)
    useRule(rule, path)
    if (typeof rule.id === 'string') known.fault.add(rule.id)
    else hasNamelessRule = true
  }
  const useInCheck = (check: Check, path: readonly PropertyKey[]): void => {
    for (const [key, value] of Object.entries(check)) {
      const { account, of } = value as { account?: string; of?: string }
      if (key !== 'hits') use('account', account, [...path, key, 'account'])
      if (key !== 'hits') use('step', of, [...path, key, 'of'])
    }
    for (const id of Object.keys(check.hits ?? {})) useFault(id, [...path, 'hits', id])
    useReferences(check, path)
  }
  const useInRequest = (step: Step, path: readonly PropertyKey[]): void => {
    const [key, request] = Object.entries(step).find(([, value]) => value !== undefined)!
    const { account, background, as, expect, fault } = request as Required<Step>['call']
    use('account', account, [...path, key, 'account'])
    if (background && as === undefined)
      problems.push({ path: [...path, key], why: 'a background step needs a name: as' })
    if (mayBeRefused(expect)) return
    if (fault !== undefined) useRule(fault, [...path, key, 'fault'])
    if (step.plan) useKind(step.plan.kind, [...path, 'plan', 'kind'])
  }
  const useInStep = (step: Step, path: readonly PropertyKey[]): void => {
    const { call, plan, execute, wait, fund, rpc, join, fault, heal, snapshot, restore } = step
    if (call || plan || execute) useInRequest(step, path)
    use('step', execute?.plan, [...path, 'execute', 'plan'])
    use('step', join, [...path, 'join'])
    use('account', wait?.account, [...path, 'wait', 'account'])
    use('step', wait?.activity, [...path, 'wait', 'activity'])
    use('account', fund?.account, [...path, 'fund', 'account'])
    use('snapshot', restore, [...path, 'restore'])
    if (typeof heal === 'string') useFault(heal, [...path, 'heal'])
    if (fault) arm(fault, [...path, 'fault'])
    else if (step.check) useInCheck(step.check, [...path, 'check'])
    else useReferences(step, path)
    if (snapshot !== undefined) known.snapshot.add(snapshot)
    const { as } = call ?? plan ?? execute ?? rpc ?? {}
    if (as !== undefined) known.step.add(as)
  }
  return { problems, use, useKind, useReferences, arm, useInStep, useInCheck }
}

function referenceProblem(reference: string, { account, step }: Names): string | undefined {
  const [name = '', field] = reference.split('.')
  if (step.has(name)) return undefined
  if (!account.has(name)) {
    const have = [...account, ...step].join(', ') || 'none'
    return `there is no account and no earlier step (as) "${name}"; known: ${have}`
  }
  if (field === undefined || accountFields.includes(field)) return undefined
  return `an account has no "${field}"; it has ${accountFields.join(', ')}`
}

function mayBeRefused(expect: Expectation | undefined): boolean {
  return expect !== undefined && !(expect.status !== undefined && expect.status < 400)
}

/** Whether a rule has references beside the account that it matches. */
function hasReferences(rule: string | Rule): boolean {
  if (typeof rule === 'string') return rule.includes('{{')
  const { account_id: _, ...match } = (rule.match ?? {}) as Record<string, unknown>
  return JSON.stringify({ ...rule, match }).includes('{{')
}
