import { useContext } from 'preact/hooks'
import type { SvcError } from '../../../clients/client/svcError.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { isReadOnly } from '../api/live.js'
import { answered, controlApi, controlApiOf } from '../api/session.js'
import type { StreamMessage, WhyView } from '../api/types.js'
import { type Loaded, useLoaded } from '../api/useLoaded.js'
import { href } from '../shell/route.js'
import { Act } from './controls.js'
import { Linked, OtherWorld } from './Linked.js'

/** The timeline of an id, kept up to date; that of another world is loaded once. In the journal, `cursor` says which life is meant. */
export function useWhy(id?: string, otherWorld?: string, cursor?: number): Loaded<WhyView> {
  const api = controlApiOf(otherWorld)
  const query = cursor === undefined ? {} : { cursor }
  return useLoaded(
    id && `${id} ${cursor}`,
    () => answered(api.GET('/_sim/why/{id}', { params: { path: { id: id ?? '' }, query } })),
    (message, known) => otherWorld === undefined && concerns(message, id ?? '', known),
  )
}

/** Whether a message may belong to the timeline: it names the id, or a related one. */
function concerns({ type, data }: StreamMessage, id: string, known: WhyView | undefined): boolean {
  if (type === 'snapshot') return data.change === 'restored' || data.change === 'reset'
  if (type === 'dropped' || type === 'clock') return true
  const names = [id, ...Object.values(known?.related ?? {}).filter((name) => name !== null)]
  const requests = new Set(known?.timeline.map(({ request_id }) => request_id))
  // A fault of a chain, such as a reorganisation, has no request, and may meet what is shown. The next step may be to remove a rule.
  if (type === 'fault' && (data.change === 'removed' || data.change === 'ended'))
    return known?.verdict.next?.includes(data.fault.id) === true
  if (type === 'fault')
    return data.request_id === null ? data.change === 'fired' : requests.has(data.request_id)
  // A price may bring a stale plan back, and a message to /rpc may switch the mining that it waits for.
  if (type === 'exchange' && /\/(prices|rpc)\//.test(data.url)) return true
  if (type !== 'exchange' && type !== 'event') return false
  const text = JSON.stringify(data)
  return names.some((name) => text.includes(name))
}

/** What became of it and what to do next, in the same words on every page. A status alone stands beside it as a pill. */
export function VerdictText({ why: { now, verdict } }: { why: WhyView }) {
  return (
    <div class="verdict">
      {now !== verdict.outcome && (
        <p>
          <Linked text={now} />
        </p>
      )}
      {verdict.next !== null && (
        <p>
          <strong>{isReadOnly.value ? 'What would have helped: ' : 'Next: '}</strong>
          <Step text={verdict.next} />
        </p>
      )}
    </div>
  )
}

/** Commands of a step for which the page has a button. */
const commands =
  /(?:\(|(?<=: ))(?:a frozen clock: )?(DELETE \/_sim\/faults\/[^\s)]+|svc-sim fund [^)]+|POST \/_sim\/clock\/advance)\)?/

function Step({ text }: { text: string }) {
  const isElsewhere = useContext(OtherWorld) !== undefined
  const parts = isReadOnly.value || isElsewhere ? [text] : text.split(commands)
  const shown = (part: string, i: number) =>
    i % 2 === 0 ? <Linked key={i} text={part} /> : <Lever key={i} command={part} />
  return <>{parts.map(shown)}</>
}

function Lever({ command }: { command: string }) {
  const [, id = ''] = /faults\/(.+)/.exec(command) ?? []
  const [, account_id = '', asset = '', amount = '', net] = command.split(/ --\w+ |, /)
  const fund = { account_id, asset, amount, network: net as NetworkName }
  const [label, work]: [string, () => Promise<unknown>] = id
    ? [`Remove ${id}`, () => controlApi.DELETE('/_sim/faults/{id}', { params: { path: { id } } })]
    : net
      ? ['Fund it', () => controlApi.POST('/_sim/fund', { body: fund })]
      : ['+60 s', () => controlApi.POST('/_sim/clock/advance', { body: { seconds: 60 } })]
  return (
    <Act done={`${label}: done`} work={() => answered(work() as Parameters<typeof answered>[0])}>
      {label}
    </Act>
  )
}

export function WhyVerdict({ of, cursor }: { of: string; cursor?: number }) {
  const { data } = useWhy(of, useContext(OtherWorld), cursor)
  return data ? <VerdictText why={data} /> : null
}

export function RefusalBox({
  refusal: { status, code, message, hint, requestId },
  isShort,
  of = requestId,
}: {
  refusal: SvcError
  isShort?: boolean
  /** What the refusal is about: its timeline says more than that of the request. */
  of?: string | undefined
}) {
  // Only for requests in the journal; for others the server itself gives the hint.
  const { data: why } = useWhy(requestId)
  const hasHint = !isShort && !why
  return (
    <div class="callout marked bad" role={isShort ? undefined : 'alert'}>
      <p>
        <span class="pill bad">
          {status} {code}
        </span>{' '}
        {hasHint && message} {of !== undefined && <a href={href(['timeline', of])}>Why?</a>}
      </p>
      {!isShort && why && <VerdictText why={why} />}
      {hasHint && hint !== undefined && (
        <p class="small">
          <Linked text={hint} />
        </p>
      )}
    </div>
  )
}
