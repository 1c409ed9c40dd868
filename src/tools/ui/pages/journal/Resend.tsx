import { useState } from 'preact/hooks'
import { jsonOrText } from '../../../../lib/json.js'
import { sendAsClient } from '../../api/session.js'
import type { ExchangeView } from '../../api/types.js'
import { Choice, Field, Form, TextField } from '../../parts/controls.js'
import { JsonView } from '../../parts/JsonView.js'
import { Linked } from '../../parts/Linked.js'
import { Status } from '../../parts/labels.js'
import { sentHeaders } from './curl.js'

interface Answer {
  status: number
  requestId: string
  /** As JSON where it is some. */
  body: unknown
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Sends a recorded request again, with edits, as a client: faults meet it, and the journal records it. */
export function Resend({ exchange }: { exchange: ExchangeView }) {
  const { headers, body: recorded = '' } = exchange
  const [method, setMethod] = useState(exchange.method)
  const [path, setPath] = useState(exchange.url)
  const [body, setBody] = useState(
    typeof recorded === 'string' ? recorded : JSON.stringify(recorded, null, 2),
  )
  const [answer, setAnswer] = useState<Answer | string>()
  const [isSending, setSending] = useState(false)
  const hasBody = !/^(GET|HEAD)$/.test(method)
  const isPath = path.startsWith('/')
  const send = async (): Promise<void> => {
    setSending(true)
    setAnswer(undefined)
    const init = { method, headers: sentHeaders(headers), body: (hasBody && body) || null }
    setAnswer(await sent(path, init))
    setSending(false)
  }
  return (
    <details class="resend steers">
      <summary>Resend with edits</summary>
      <Form class="stack tight" onSubmit={send}>
        <div class="row">
          <Choice
            label="Method"
            of={[...new Set([...methods, exchange.method])]}
            value={method}
            onChange={setMethod}
          />
          <TextField
            label="Path"
            kind="path"
            value={path}
            aria-invalid={!isPath}
            onInput={setPath}
          />
        </div>
        <Field label="Body">
          <textarea
            rows={8}
            spellcheck={false}
            value={body}
            disabled={!hasBody}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        </Field>
        <button type="submit" class="primary" disabled={!isPath || isSending}>
          Send
        </button>
      </Form>
      <div role="status">{answer !== undefined && <Answered answer={answer} />}</div>
    </details>
  )
}

function Answered({ answer }: { answer: Answer | string }) {
  if (typeof answer === 'string') return <p class="callout bad">{answer}</p>
  const { status, requestId, body } = answer
  return (
    <>
      <p>
        <Status answer={{ status, cut: false }} /> <Linked text={requestId} />
      </p>
      {body !== '' && <JsonView value={body} label="Response to the edited request" />}
    </>
  )
}

/** Sends it; a text says why there is no response. */
async function sent(path: string, init: RequestInit): Promise<Answer | string> {
  try {
    const response = await sendAsClient(path, init)
    const requestId = response.headers.get('x-svc-sim-request-id') ?? ''
    return { status: response.status, requestId, body: jsonOrText(await response.text()) }
  } catch (error) {
    return `No response (${(error as Error).message}). The request may or may not have been executed.`
  }
}
