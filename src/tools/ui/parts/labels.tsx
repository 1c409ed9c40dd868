/** A network by name, with its colour. */
export function NetworkLabel({ network }: { network: string }) {
  return (
    <span class="network-name" data-network={network}>
      {network}
    </span>
  )
}

/** The status of an answer; `…` for one that has not come. */
export function Status({ answer }: { answer: { status: number; cut: boolean } | null }) {
  if (!answer) return <span class="pill">…</span>
  const { status, cut } = answer
  const kind = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  return <span class={`pill ${cut ? 'bad' : kind}`}>{cut ? 'cut' : status}</span>
}

/** A text of the documents, in which names stand between backticks. */
export function Described({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}
