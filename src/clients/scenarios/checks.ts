import { isDeepStrictEqual } from 'node:util'
import { mismatch, missingPart, short } from './expect.js'
import type { Play } from './play.js'
import { type ActivityBody, known, reasonsOf, Unexpected } from './play.js'
import { resolve } from './references.js'
import type { Check } from './schema.js'
import type { ScenarioReply } from './target.js'

/** Throws `Unexpected` for a difference. */
export async function runCheck(play: Play, check: Check): Promise<void> {
  const wanted = resolve(check, known(play))
  const { wire, cast } = play
  const get = async <T>(path: string): Promise<T> =>
    (await wire.send({ method: 'GET', path })).body as T
  if (wanted.balance) return checkBalance(play, wanted.balance)
  if (wanted.folio) {
    const { account, section, key, is, exists } = wanted.folio
    const path = `/accounts/${cast.get(account)!.id}/folio`
    const { folio } = await get<{ folio: Record<string, Record<string, unknown>> }>(path)
    const value = folio?.[section]?.[key]
    const where = `folio.${section}["${key}"]`
    if (exists !== undefined && (value !== undefined) !== exists)
      throw new Unexpected(
        `expected ${where} ${exists ? '' : 'not '}to exist; it is ${short(value)}`,
      )
    if (is !== undefined) must(missingPart(value, is, where))
  }
  if (wanted.response) {
    const { of, ...expected } = wanted.response
    must(mismatch(play.results.get(of) as ScenarioReply, expected))
  }
  if (wanted.activity) {
    const { of, status, reason } = wanted.activity
    const id = (play.results.get(of) as { body: { activity_id?: string } }).body?.activity_id
    if (id === undefined) throw new Unexpected(`"${of}" is no execution with an activity`)
    const activity = await get<ActivityBody>(`/activities/${id}`)
    must(missingPart(activity.activity_status, status, `the status of ${id}`))
    if (reason !== undefined && !reasonsOf(activity).includes(reason))
      throw new Unexpected(
        `expected the reason to hold "${reason}", but it is ${short(reasonsOf(activity) || undefined)}`,
      )
  }
  if (wanted.activities) {
    const { account, count, status } = wanted.activities
    const path = `/accounts/${cast.get(account)!.id}/activities`
    const { activities } = await get<{ activities: ActivityBody[] }>(path)
    const counted = activities.filter((a) => status === undefined || a.activity_status === status)
    must(
      missingPart(counted.length, count, `the number of ${status ?? ''} activities of ${account}`),
    )
  }
  if (wanted.events) {
    const { account, statuses } = wanted.events
    const path = `/accounts/${cast.get(account)!.id}/events`
    const { events } = await get<{ events: { data: { activity_status: string } }[] }>(path)
    const reportedStatuses = events.map(({ data }) => data.activity_status)
    must(
      missingPart(
        reportedStatuses,
        statuses,
        `the events of ${account}: ${reportedStatuses.join(', ')}; their list`,
      ),
    )
  }
  if (wanted.hits) await checkHits(play, wanted.hits)
  if (wanted.equal) {
    const [a, b] = wanted.equal
    if (!isDeepStrictEqual(a, b)) throw new Unexpected(`${short(a)} is not equal to ${short(b)}`)
  }
}

function must(problem: string | undefined): void {
  if (problem !== undefined) throw new Unexpected(problem)
}

/** Reads the balance from the chain itself. */
async function checkBalance(play: Play, wanted: NonNullable<Check['balance']>): Promise<void> {
  const { account, network, asset } = wanted
  const { wallet } = play.cast.get(account)!
  const address = await tokenAddress(play, network, asset)
  const native = /^0xe{40}$/i.test(address)
  const params = native
    ? [wallet, 'latest']
    : [{ to: address, data: `0x70a08231${wallet.slice(2).padStart(64, '0')}` }, 'latest']
  const read = await play.wire.rpc(network, native ? 'eth_getBalance' : 'eth_call', params)
  const balance = BigInt(read as string)
  const what = `${account}'s ${asset} on ${network}`
  const bound = (amount: string | number | undefined): bigint | undefined =>
    amount === undefined ? undefined : BigInt(amount)
  const [is, low, high] = [bound(wanted.is), bound(wanted.at_least), bound(wanted.at_most)]
  if (is !== undefined && balance !== is)
    throw new Unexpected(`expected ${what} to be ${is}, but it is ${balance}`)
  if (low !== undefined && balance < low)
    throw new Unexpected(`expected ${what} to be at least ${low}, but it is ${balance}`)
  if (high !== undefined && balance > high)
    throw new Unexpected(`expected ${what} to be at most ${high}, but it is ${balance}`)
}

async function tokenAddress(play: Play, network: string, asset: string): Promise<string> {
  const { body } = await play.wire.send({ method: 'GET', path: '/assets' })
  const { assets } = body as {
    assets: Record<string, { networks: Record<string, string | { address: string }> }>
  }
  const key = Object.keys(assets).find((symbol) => symbol.toLowerCase() === asset.toLowerCase())
  const place = key === undefined ? undefined : assets[key]!.networks[network]
  const address = typeof place === 'object' ? place.address : place
  if (address === undefined) throw new Unexpected(`there is no ${asset} on ${network}`)
  return address
}

async function checkHits(play: Play, wantedHits: Record<string, number>): Promise<void> {
  const faults = await hitsOfRules(play.wire, (rules) =>
    Object.entries(wantedHits).every(([id, least]) =>
      rules.some((rule) => rule.id === id && rule.hits >= least),
    ),
  )
  for (const [id, hits] of Object.entries(wantedHits)) {
    const fault = faults.find((each) => each.id === id)
    if (!fault)
      throw new Unexpected(
        `there is no fault "${id}"; existing faults: ${faults.map((f) => f.id).join(', ') || 'none'}`,
      )
    must(missingPart(fault.hits, hits, `the hits of fault "${id}"`))
  }
}

export interface RuleHits {
  id: string
  hits: number
}

/** The rules with their hits. Waits for the work in progress before it reports hits that are too few: an execution goes on after its response. */
export async function hitsOfRules(
  wire: Play['wire'],
  areEnough: (rules: readonly RuleHits[]) => boolean,
): Promise<readonly RuleHits[]> {
  const read = () => wire.control<{ faults: RuleHits[] }>('GET', '/_sim/faults')
  const { faults } = await read()
  if (areEnough(faults)) return faults
  await wire.control('POST', '/_sim/clock/advance', { seconds: 0 })
  return (await read()).faults
}
