/** The status of an answer; `…` for one that has not come. */
export function Status({ answer }: { answer: { status: number; cut: boolean } | null }) {
  if (!answer) return <span class="pill">…</span>
  const { status, cut } = answer
  const kind = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  return <span class={`pill ${cut ? 'bad' : kind}`}>{cut ? 'cut' : status}</span>
}
