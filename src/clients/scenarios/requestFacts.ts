import type { Hex } from 'viem'
import { hashMessage, recoverAddress } from 'viem/utils'
import { curveOrder } from '../../lib/curveOrder.js'
import type { SavedRequest } from './savedRun.js'

/** The ids that a request has made, also when its response was lost. */
export function made({ method, url, answer, notes }: SavedRequest, kind = madeBy(url)): string[] {
  if (method !== 'POST' || kind !== madeBy(url)) return []
  const noted = kind === 'act' ? activityOf(notes) : []
  return [...new Set([...idsIn(JSON.stringify(answer?.body ?? ''), kind), ...noted])]
}

/** The activity of an execution, also when its response was lost. */
export function activityOf(notes: SavedRequest['notes']): string[] {
  return notes.flatMap(({ type, activity_id: id }) => (type === 'activity' ? [String(id)] : []))
}

/** A request that makes no id has none of this kind. */
function madeBy(url: string): string {
  if (/\/plan\/execute(\?|$)/.test(url)) return 'act'
  if (/\/plan\/[a-z-]+(\?|$)/.test(url)) return 'pln'
  return isOpening(url) ? 'acc' : 'nothing'
}

export const isOpening = (url: string): boolean => /^\/accounts(\?|$)/.test(url)

export const idsIn = (text: string, kinds: string): string[] =>
  text.match(new RegExp(`\\b(?:${kinds})_[0-9A-Za-z]{12,32}\\b`, 'g')) ?? []

/** Effects that end the connection, or leave a client without a response. */
const cutting = /^(request\.(reset_before|reset_after|truncate|hang|crash)|execute\.response_lost)$/

/** Whether its client disconnected before the response, which no fault held back. */
export const isAbandoned = ({ answer, notes }: SavedRequest): boolean =>
  answer?.cut === true && !notes.some(({ effect }) => cutting.test(`${effect}`))

/** Whether `request.latency` held it before anything was done. */
export const isDelayed = ({ notes }: SavedRequest): boolean =>
  notes.some(({ effect }) => effect === 'request.latency')

/** How it was answered, as a scenario expects it. */
export function expectedAnswer(request: SavedRequest): object {
  const { answer } = request
  if (answer?.cut) return { connection: isAbandoned(request) ? 'any' : 'cut' }
  const { status = 0, body } = answer ?? {}
  const { error } = (body ?? {}) as { error?: unknown }
  return { status, ...(status >= 400 && typeof error === 'string' && { error }) }
}

/** An error code, `cut`, `unanswered`, or the end of an execution; empty for other responses. */
function outcomeOf({ answer, notes }: SavedRequest): string {
  if (!answer) return 'unanswered'
  if (answer.cut) return 'cut'
  const { error = answer.status } = (answer.body ?? {}) as { error?: unknown }
  if (answer.status >= 400) return String(error)
  const event = notes.findLast(({ type }) => type === 'event')
  return event ? String(event.activity_status) : ''
}

export const wentWrong = (request: SavedRequest): boolean =>
  !['', 'pending', 'confirmed'].includes(outcomeOf(request))

/** The kind of the plan that a request makes or executes. */
export function planKindOf(
  { url, body }: SavedRequest,
  all: readonly SavedRequest[],
): string | undefined {
  const [, kind] = /\/plan\/([a-z-]+)(?:\?|$)/.exec(url) ?? []
  if (kind !== 'execute') return kind
  const { plan_id } = (body ?? {}) as { plan_id?: unknown }
  const plan = all.find((each) => made(each, 'pln').includes(String(plan_id)))
  return plan && planKindOf(plan, [])
}

/** What a play is about: `transfer: plan_stale`; of a read what it showed, and the faults of its run: `activities: pending, bridge.delay`. */
export function playTitle(
  focus: SavedRequest,
  all: readonly SavedRequest[],
  run: readonly SavedRequest[] = [],
): string {
  const [kind, outcome] = [planKindOf(focus, all), outcomeOf(focus)]
  const [path = ''] = focus.url.split('?')
  const subject = kind ?? path.split('/').findLast((word) => /^[a-z-]+$/.test(word))
  if (outcome === '' && kind !== undefined) return kind
  const shown = outcome === '' ? [stateIn(focus), ...effectsIn(run)].flat().join(', ') : outcome
  const title = [subject ?? [], shown || []].flat().join(': ')
  return title || focus.request_id
}

/** The state of the activity that was read, or of the newest event. */
function stateIn({ answer }: SavedRequest): string[] {
  const { activity_status: state, events } = (answer?.body ?? {}) as {
    activity_status?: string
    events?: { data?: { activity_status?: string } }[]
  }
  return [state ?? events?.at(-1)?.data?.activity_status ?? []].flat()
}

const effectsIn = (run: readonly SavedRequest[]): string[] => [
  ...new Set(
    run.flatMap(({ notes }) =>
      notes.flatMap(({ type, effect }) =>
        type === 'fault' && typeof effect === 'string' ? [effect] : [],
      ),
    ),
  ),
]

/** A request in a list of choices. */
export function shownRequest(request: SavedRequest): string {
  const { cursor, method, url } = request
  const path = url.replace(/\?.*/, '').replaceAll(/_([0-9A-Za-z]{3})[0-9A-Za-z]{9,}/g, '_$1...')
  return `${cursor}: ${[method, path, outcomeOf(request)].filter(Boolean).join(' ')}`
}

/**
 * The requests about accounts that no request of the journal has created, each with the id or signer of its account: those from before a
 * restart, for example. A play begins in an empty world, which lacks them.
 */
export function ofOlderAccounts<Request extends SavedRequest>(
  all: readonly Request[],
): Map<Request, string> {
  const openings = all.filter(({ url, answer }) => isOpening(url) && answer?.status === 201)
  const signers = openings.map(({ body }) => signerIn(body))
  const known = new Set(all.flatMap((each) => made(each)))
  const olderIn = ({ url, body, answer, notes }: Request): string | undefined => {
    if (!answer || /^\/(rpc|_sim\/(?!fund))/.test(url)) return undefined
    const { error } = (answer.body ?? {}) as { error?: unknown }
    if (error === 'account_already_exists' && !signers.includes(signerIn(body)))
      return signerIn(body)
    const { account_id = '' } = (body ?? {}) as { account_id?: unknown }
    const isAbsent =
      error === 'account_not_found' ||
      answer.status === 401 ||
      notes.some(({ effect }) => effect === 'answer.unknown_account')
    const accounts = isAbsent ? [] : idsIn(`${url} ${account_id}`, 'acc')
    const activities = answer.status < 400 ? idsIn(url, 'act') : []
    return [...accounts, ...activities].find((id) => !known.has(id))
  }
  const older = new Map<Request, string>()
  for (const each of all) {
    const of = olderIn(each)
    if (of !== undefined) older.set(each, of)
  }
  return older
}

/**
 * With the accounts that were opened although their clients had disconnected, as later responses show them: the response of its own request
 * was not recorded.
 */
export function withOpenedAccounts<Request extends SavedRequest>(
  all: readonly Request[],
): Request[] {
  const opened = new Set<string>()
  return all.map((each) => {
    const { method, url, answer } = each
    if (method !== 'POST' || !isOpening(url) || !answer) return each
    const signer = signerIn(each.body)
    const account = isAbandoned(each) && !opened.has(signer) && accountOf(signer, each.at, all)
    if (account || answer.status === 201) opened.add(signer)
    return account
      ? { ...each, notes: [], answer: { ...answer, status: 201, body: account, cut: false } }
      : each
  })
}

/** The account of a signer as a response shows it, unless it is older: times of accounts are whole seconds. */
function accountOf(signer: string, at: string, all: readonly SavedRequest[]): object | undefined {
  const shown = all.flatMap(({ answer }) => {
    const body = (answer?.body ?? {}) as { accounts?: readonly object[] }
    return body.accounts ?? [body]
  })
  return shown.find(
    (each: { account_id?: string; created_at?: string }) =>
      each.account_id !== undefined &&
      signerIn(each) === signer &&
      `${each.created_at}`.slice(0, 19) >= at.slice(0, 19),
  )
}

const signerIn = (body: unknown): string =>
  `${((body ?? {}) as { signer_address?: unknown }).signer_address}`.toLowerCase()

/** The executions whose signature was wrong when it arrived, before any fault changed it, each with how its client signed. */
export async function wrongSignatures(
  all: readonly SavedRequest[],
): Promise<ReadonlyMap<SavedRequest, 'other_key' | 'personal_sign'>> {
  const signers = new Map<string | undefined, string>()
  const plans = new Map<string, { digest: Hex; signer: string }>()
  const wrong = new Map<SavedRequest, 'other_key' | 'personal_sign'>()
  for (const each of all) {
    const got = each.answer?.body as { signer_address?: unknown; details?: PlanDetails } | undefined
    for (const id of made(each, 'acc')) signers.set(id, `${got?.signer_address}`)
    const signer = signers.get(idsIn(each.url, 'acc')[0])
    const digest = got?.details?.eip712_data?.digest
    if (signer && digest) for (const id of made(each, 'pln')) plans.set(id, { digest, signer })
    const sent = each.body as { plan_id?: unknown; signature?: unknown } | undefined
    const plan = plans.get(`${sent?.plan_id}`)
    const signature = `${sent?.signature}`
    if (!plan || !/^0x[0-9a-f]{130}$/i.test(signature)) continue
    const how = await signedHow(signature as Hex, plan)
    if (how !== 'valid') wrong.set(each, how)
  }
  return wrong
}

interface PlanDetails {
  eip712_data?: { digest?: Hex }
}

async function signedHow(signature: Hex, { digest, signer }: { digest: Hex; signer: string }) {
  const isOver = async (hash: Hex): Promise<boolean> => {
    const from = await recoverAddress({ hash, signature }).catch(() => undefined)
    return from?.toLowerCase() === signer.toLowerCase()
  }
  const isAccepted =
    /1[bc]$/i.test(signature) && BigInt(`0x${signature.slice(66, 130)}`) <= curveOrder / 2n
  if (isAccepted && (await isOver(digest))) return 'valid'
  const isPersonal =
    (await isOver(hashMessage({ raw: digest }))) || (await isOver(hashMessage(digest)))
  return isPersonal ? 'personal_sign' : 'other_key'
}
