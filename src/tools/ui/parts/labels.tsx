import { activityStatusOf } from '../../../observe/journal/filter.js'
import type { ExchangeView } from '../api/types.js'
import { errorCodeIn } from './text.js'

export function NetworkLabel({ network }: { network: string }) {
  return (
    <span class="network-name" data-network={network}>
      {network}
    </span>
  )
}

/** The status of a response with its error code, such as `409 plan_stale`, or with the end of its activity: `200 failed`. */
export function Status({
  answer,
  notes = [],
  isShort,
}: {
  answer: { status: number; cut: boolean; body?: unknown } | null
  notes?: ExchangeView['notes'] | undefined
  /** Without the code, which is in the title. */
  isShort?: boolean
}) {
  if (!answer) return <span class="pill">…</span>
  const { status, cut, body } = answer
  const hasFailed = activityStatusOf(notes) === 'failed'
  const kind = hasFailed ? 'bad' : status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  const code = hasFailed ? 'failed' : errorCodeIn(body)
  if (cut) return <span class="pill bad">cut</span>
  return (
    <span class={`pill ${kind}`} title={code}>
      {status}
      {code !== undefined && (hasFailed || !isShort) && <span class="error-code"> {code}</span>}
    </span>
  )
}

/** A text that may break after the separators of paths and names, and not in the middle of a word. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[/_,:-])(?=[\w{"])/)
  return <>{parts.map((part, index) => (index > 0 ? [<wbr key={index} />, part] : part))}</>
}

/** A text of the documents, in which names stand between backticks. */
export function Described({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}
