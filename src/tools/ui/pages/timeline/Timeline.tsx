import { useState } from 'preact/hooks'
import { go } from '../../shell/route.js'
import '../../styles/journal.css'
import { Recent } from './Recent.js'
import { Story } from './Story.js'
import { useWhy } from './useWhy.js'

/** Everything that happened to one id: who did what when, over all networks. */
export default function Timeline({ rest: [id] }: { rest: readonly string[] }) {
  const { data: why, refusal } = useWhy(id)
  return (
    <div class="timeline">
      <Search key={id} id={id} />
      {id === undefined && <Recent />}
      {refusal && (
        <p class="callout bad" role="alert">
          {refusal.message}. {refusal.hint}
        </p>
      )}
      {id !== undefined && !why && !refusal && <p aria-busy="true">Loading…</p>}
      {why && !refusal && <Story key={why.id} why={why} isPage />}
    </div>
  )
}

function Search({ id }: { id: string | undefined }) {
  const [text, setText] = useState(id ?? '')
  return (
    <form
      class="row search"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') go(['timeline', text.trim()])
      }}
    >
      <label class="field inline">
        <span>Id</span>
        <input
          type="search"
          value={text}
          maxLength={64}
          placeholder="id of an account, plan, activity, intent or request"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  )
}
