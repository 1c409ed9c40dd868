import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { jsonOrText } from '../../../../lib/json.js'
import { apiKey, hasToken, sendAsClient, world } from '../../api/session.js'
import type { ExchangeView } from '../../api/types.js'
import { Choice, Copy, Field, Form, TextField } from '../../parts/controls.js'
import { JsonView } from '../../parts/JsonView.js'
import { Linked } from '../../parts/Linked.js'
import { Status } from '../../parts/labels.js'
import { Facts } from '../../parts/panels.js'
import { shownBytes, shownClock, shownMs, shownTime } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/verdicts.js'
import { href } from '../../shell/route.js'
import { curlOf, sentHeaders } from './curl.js'
import { reasonOfReset, SaveAsTest } from './SaveAsTest.js'

export function ExchangeDetails({
  exchange,
  onClose,
}: {
  exchange: ExchangeView
  onClose(): void
}) {
  const { cursor, at, method, url, headers, answer, notes, request_id } = exchange
  const curl = () =>
    curlOf(exchange, {
      origin: location.origin,
      apiKey: apiKey.peek(),
      world: world.peek(),
      needsToken: hasToken.peek(),
    })
  return (
    <section class="panel details stack tight" aria-labelledby="details-title">
      <header>
        <h2 id="details-title" class="mono">
          {method} <Linked text={url} />
        </h2>
        <button type="button" class="quiet" aria-label="Close the details" onClick={onClose}>
          ✕
        </button>
      </header>
      <div class="row">
        <Status answer={answer} notes={notes} />
        <span class="small">
          {shownTime(at)}
          {answer && `, ${shownBytes(answer.bytes)}`}
          {answer?.took_ms !== undefined && `, ${shownMs(answer.took_ms)} of real time`}
        </span>
      </div>
      <div class="row">
        <Copy label="Copy as curl" text={curl} />
        <SaveAsTest of={[exchange]} />
        <a class="button" href={href(['timeline', request_id], { cursor: `${cursor}` })}>
          Timeline
        </a>
        {world.value === undefined && !reasonOfReset(cursor) && (
          <a class="button steers" href={href(['journal', `${cursor}`, 'fork'])}>
            Fork here
          </a>
        )}
      </div>
      <Resend key={cursor} exchange={exchange} />
      <WhyVerdict of={request_id} cursor={cursor} />
      <h3>Request</h3>
      <Headers headers={headers} />
      <Body body={exchange.body} label="Request body" none="No body." />
      <h3>Response</h3>
      {answer ? (
        <>
          <Headers headers={answer.headers} />
          <Body
            body={answer.body}
            label="Response body"
            none={
              answer.bytes > 0
                ? 'The body was not recorded: it is binary or too large.'
                : 'No body.'
            }
          />
        </>
      ) : (
        <p class="empty">No response yet.</p>
      )}
      <Notes title="What led to this response" notes={notes.filter(isCause)} />
      <Notes title="What this request caused" notes={notes.filter((note) => !isCause(note))} />
    </section>
  )
}

function Headers({ headers }: Pick<ExchangeView, 'headers'>) {
  const all = Object.entries(headers)
  if (all.length === 0) return null
  return (
    <Facts
      kind="fact-table"
      of={all.map(([name, value]) => [name, <Linked key={name} text={value} />])}
    />
  )
}

function Body({ body, label, none }: { body: unknown; label: string; none: string }) {
  if (body === undefined || body === '') return <p class="empty">{none}</p>
  return <JsonView value={body} label={label} />
}

/** Whether a note says why the response is what it is; the others say what happened on its behalf. */
const isCause = ({ type }: ExchangeView['notes'][number]): boolean =>
  ['fault', 'stale', 'short', 'beyond', 'missigned'].includes(type)

function Notes({ title, notes }: Pick<ExchangeView, 'notes'> & { title: string }) {
  if (notes.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ol class="notes list">
        {notes.map(({ at, type, ...facts }, index) => (
          <li key={index}>
            <details>
              <summary>
                <time>{shownClock(at)}</time> <strong>{type}</strong> {inShort(facts)}
              </summary>
              <JsonView value={facts} label={`Details of ${type}`} />
            </details>
          </li>
        ))}
      </ol>
    </>
  )
}

function inShort(facts: Record<string, unknown>): string {
  const { network, from, to, status, activity_status, rule, effect, kind, reason } = facts
  const way = from && to ? `${from} → ${to}` : network
  return [kind, rule, effect, way, status ?? activity_status, reason]
    .filter((fact) => typeof fact === 'string')
    .join(' · ')
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Sends a recorded request again, with edits, as a client: faults meet it, and the journal records it. */
function Resend({ exchange }: { exchange: ExchangeView }) {
  const { headers, body: recorded = '' } = exchange
  const [method, setMethod] = useState(exchange.method)
  const [path, setPath] = useState(exchange.url)
  const [body, setBody] = useState(
    typeof recorded === 'string' ? recorded : JSON.stringify(recorded, null, 2),
  )
  const [answer, setAnswer] = useState<ComponentChild>()
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
      <div role="status">{answer}</div>
    </details>
  )
}

async function sent(path: string, init: RequestInit): Promise<ComponentChild> {
  try {
    const response = await sendAsClient(path, init)
    const body = jsonOrText(await response.text())
    return (
      <>
        <p>
          <Status answer={{ status: response.status, cut: false }} />{' '}
          <Linked text={response.headers.get('x-svc-sim-request-id') ?? ''} />
        </p>
        {body !== '' && <JsonView value={body} label="Response to the edited request" />}
      </>
    )
  } catch (error) {
    return `No response (${(error as Error).message}). The request may or may not have been executed.`
  }
}
