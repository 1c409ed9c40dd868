import { useContext, useEffect, useRef } from 'preact/hooks'
import { isReadOnly } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { Moment } from '../../api/types.js'
import { Act, Copy } from '../../parts/controls.js'
import { DecodedLog, JsonView } from '../../parts/JsonView.js'
import { HashLink, Linked, OtherWorld } from '../../parts/Linked.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Facts } from '../../parts/panels.js'
import { groupedDigits, shownTime } from '../../parts/text.js'
import { detailList, fact } from './elements.js'

const apart = new Set(['method', 'url', 'operations', 'logs', 'reason', 'body', 'message', 'hint'])

export function MomentDetails({ moment, onClose }: { moment: Moment; onClose(): void }) {
  const facts = Object.entries(moment.details).filter(([name]) => !apart.has(name))
  const operations = detailList(moment, 'operations')
  const logs = detailList(moment, 'logs')
  const { body } = moment.details
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [moment])
  return (
    <section ref={box} class="panel moment stack tight" aria-label={moment.title}>
      <header>
        <h2>
          <Linked text={moment.title} />
        </h2>
        <div class="row">
          {moment.type === 'event' && <SendAgain moment={moment} />}
          <Copy label="Copy as JSON" text={() => JSON.stringify(moment, null, 2)} />
          <button type="button" class="quiet" aria-label="Close the details" onClick={onClose}>
            ✕
          </button>
        </div>
      </header>
      {['reason', 'message', 'hint'].map((name) => {
        const text = fact(moment, name)
        if (text === undefined) return null
        return (
          <p key={name} class={name === 'hint' ? 'callout' : 'callout bad'}>
            <strong>{name}:</strong> <Linked text={text} />
          </p>
        )
      })}
      <div class="moment-parts columns fit">
        <Facts
          kind="fact-table"
          of={[
            ['at', shownTime(moment.at)],
            ...(moment.request_id === null ? [] : [['request_id', moment.request_id] as const]),
            ...facts,
          ].map(([name, value]) => [name, <FactValue key={name} name={name} value={value} />])}
        />
        {operations.length > 0 && (
          <div>
            <h3>{operations.length === 1 ? 'Call' : `${operations.length} calls`}</h3>
            {operations.map((operation, index) => (
              <Call key={index} {...operation} />
            ))}
          </div>
        )}
        {logs.length > 0 && (
          <div>
            <h3>{logs.length === 1 ? 'Log' : `${logs.length} logs`}</h3>
            {logs.map((log, index) => (
              <DecodedLog key={index} {...log} />
            ))}
          </div>
        )}
        {body !== undefined && (
          <div>
            <h3>Body</h3>
            <JsonView value={body} label="Body" />
          </div>
        )}
      </div>
    </section>
  )
}

/** A transaction links to its page, any other id to its timeline. */
function FactValue({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isHash =
    /^(hash|refund|transaction_hash|by_transaction)$/.test(name) && /^0x[0-9a-f]{64}$/.test(text)
  if (isHash) return <HashLink hash={text} />
  return <Linked text={/^(gas_used|\w+_amount)$/.test(name) ? groupedDigits(text) : text} />
}

function Call({ network, script, function: called, args, nonce }: Record<string, unknown>) {
  return (
    <details class="traced" open>
      <summary>
        <NetworkLabel network={`${network}`} />{' '}
        <code>
          {`${script}`}.<strong>{`${called}`}</strong>
        </code>
      </summary>
      <JsonView value={args} label={`Arguments of ${called}`} />
      <p class="small">
        nonce <code>{`${nonce}`}</code>
      </p>
    </details>
  )
}

/** Delivers the event once more: a client must handle that. */
function SendAgain({ moment }: { moment: Moment }) {
  const account_id = fact(moment, 'account_id')
  const { cursor } = moment.details
  const isElsewhere = useContext(OtherWorld) !== undefined
  if (isReadOnly.value || isElsewhere || account_id === undefined || typeof cursor !== 'number')
    return null
  return (
    <Act
      done={`The next read of ${account_id}’s events returns this event again`}
      work={() => answered(controlApi.POST('/_sim/events/again', { body: { account_id, cursor } }))}
    >
      Send this event again
    </Act>
  )
}
