import type { ComponentChild } from 'preact'
import { Linked } from './Linked.js'
import { Scroller } from './panels.js'

/** What of JSON is drawn in a colour of its own: names, texts, numbers, and the three words. */
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|(true|false|null)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value, null, 2)
  return (
    <Scroller kind="json" label={label}>
      <pre>{isText ? <Linked text={text} /> : coloured(text)}</pre>
    </Scroller>
  )
}

function coloured(text: string): ComponentChild[] {
  const drawn: ComponentChild[] = []
  let drawnTo = 0
  for (const match of text.matchAll(tokens)) {
    const [token, quoted, colon, word] = match
    drawn.push(text.slice(drawnTo, match.index))
    const kind = colon ? 'name' : quoted ? 'text' : word ? 'word' : 'number'
    drawn.push(
      <span key={match.index} class={kind}>
        {kind === 'text' ? <Linked text={token} /> : token}
      </span>,
    )
    drawnTo = match.index + token.length
  }
  return [...drawn, text.slice(drawnTo)]
}

export function DecodedLog({ contract, event, args }: Record<string, unknown>) {
  return (
    <details class="traced">
      <summary>
        {`${contract}`} <strong>{`${event}`}</strong>
      </summary>
      <JsonView value={args} label={`Arguments of ${event}`} />
    </details>
  )
}
