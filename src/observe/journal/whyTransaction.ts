import type { Hex } from 'viem'
import { noteOf } from './journal.js'
import { shownVerdict } from './shownVerdict.js'
import { readTransaction } from './transaction.js'
import type { Verdict } from './verdict.js'
import { textOfVerdict } from './verdictText.js'
import { explain, lookUp } from './why.js'
import type { Why, WhySources } from './whySchema.js'

/** Leads a transaction to its activity, or says that it has none. Undefined when no activity names it and no network has mined it. */
export async function explainTransaction(
  id: string,
  sources: WhySources,
): Promise<Why | undefined> {
  const hash = id.toLowerCase() as Hex
  const present = (await lookUp(hash, sources)).activity?.activityId
  const noted = present === undefined ? notedActivity(hash, sources) : undefined
  const known = present ?? noted?.id
  const whole = known === undefined ? undefined : await explain(known, sources, noted?.order)
  if (!whole) return withoutActivity(hash, sources)
  const own = whole.timeline.findLast(
    ({ details: { hash: sent, refund } }) => sent === hash || refund === hash,
  )
  const operations = (own?.details.operations ?? []) as { script: string; function: string }[]
  const names = operations.map((each) => `${each.script}.${each.function}`)
  const called = names.length === 0 ? '' : ` called ${names.join(', ')} and`
  const what = own ? `${own.title}; it${called}` : 'it'
  return { ...whole, id, now: `${what} belongs to activity ${known}: ${whole.now}` }
}

/** The activity of a transaction that is in the journal alone, such as one that was not mined. */
function notedActivity(
  hash: Hex,
  { journal }: WhySources,
): { id: string; order: number } | undefined {
  for (const { notes } of journal.all().toReversed())
    for (const timed of notes) {
      if (!timed.text.includes(hash)) continue
      const note = noteOf(timed)
      if (note.type !== 'transaction' && note.type !== 'bridge') continue
      // Logs and arguments have words of 32 bytes that are no hash of a transaction, such as zeros.
      const own = ['hash' in note && note.hash, 'refund' in note && note.refund]
      if (own.includes(hash)) return { id: note.activity_id, order: timed.order }
    }
  return undefined
}

/** A transaction of no plan: of the faucet, of a wallet's owner, or of the simulator itself. */
async function withoutActivity(hash: Hex, sources: WhySources): Promise<Why | undefined> {
  const { transaction } = await sources.inspect(hash)
  if (!transaction) return undefined
  const accounts = await sources.store.allAccounts()
  const owners = new Map(
    accounts.map(({ accountId, walletAddress }) => [walletAddress.toLowerCase(), accountId]),
  )
  const { network, block, status, calls, balances } = readTransaction(transaction, {
    book: sources.book,
    owners,
    sentFor: new Map(),
  })
  const [call] = calls ?? []
  const ways = call ? `, from ${call.from} to ${call.to ?? 'a new contract'}` : ''
  const changes = balances
    .filter(({ name }) => name !== null && accounts.some(({ accountId }) => accountId === name))
    .map(({ name, asset, change }) => `; it changed the ${asset} of ${name} by ${change}`)
  const what = `${status} in block ${block} of ${network}${ways}; it belongs to no activity${changes.join('')}`
  const outcome = status === 'reverted' ? 'reverted' : 'mined'
  const verdict: Verdict = { outcome, network, what }
  return {
    id: hash,
    related: { account_id: null, plan_id: null, activity_id: null, svc_intent_id: null },
    timeline: [],
    activity: null,
    now: textOfVerdict(verdict),
    verdict: shownVerdict(verdict, sources.rules),
    is_complete: true,
  }
}
