import { useState } from 'preact/hooks'
import { useWhy } from '../../api/useWhy.js'
import { Form, TextField } from '../../parts/controls.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { go } from '../../shell/route.js'
import { OneTimeline } from './OneTimeline.js'
import { Recent } from './Recent.js'

/** Everything that happened to one id: who did what when, over all networks. */
export default function Timeline({ rest: [id] }: { rest: readonly string[] }) {
  const { data: why, refusal } = useWhy(id)
  return (
    <div class="timeline stack">
      <Search key={id} id={id} />
      {id === undefined && <Recent />}
      {refusal && <RefusalBox refusal={refusal} />}
      {id !== undefined && !why && !refusal && <p aria-busy="true">Loading…</p>}
      {why && !refusal && <OneTimeline key={why.id} why={why} isPage />}
    </div>
  )
}

function Search({ id }: { id: string | undefined }) {
  const [text, setText] = useState(id ?? '')
  return (
    <Form class="row search" onSubmit={() => text.trim() !== '' && go(['timeline', text.trim()])}>
      <TextField
        label="Id"
        kind="inline"
        type="search"
        value={text}
        maxLength={64}
        placeholder="id of an account, plan, activity, intent or request"
        onInput={setText}
      />
      <button type="submit">Show</button>
    </Form>
  )
}
