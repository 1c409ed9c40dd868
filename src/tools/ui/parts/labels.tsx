import { Fragment } from 'preact'
import { errorCodeIn } from './text.js'

export function NetworkLabel({ network }: { network: string }) {
  return (
    <span class="network-name" data-network={network}>
      {network}
    </span>
  )
}

/** The status of a response with its error code, such as `409 plan_stale`; `…` for one that has not come. */
export function Status({
  answer,
  isShort,
}: {
  answer: { status: number; cut: boolean; body?: unknown } | null
  /** Without the code, which is in the title. */
  isShort?: boolean
}) {
  if (!answer) return <span class="pill">…</span>
  const { status, cut, body } = answer
  const kind = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  const code = errorCodeIn(body)
  if (cut) return <span class="pill bad">cut</span>
  return (
    <span class={`pill ${kind}`} title={code}>
      {status}
      {code !== undefined && !isShort && <span class="error-code"> {code}</span>}
    </span>
  )
}

/** A text that may break after the separators of paths and names, and not in the middle of a word. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[/_,:-])(?=[\w{"])/)
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}

/** A text of the documents, in which names stand between backticks. */
export function Described({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}
