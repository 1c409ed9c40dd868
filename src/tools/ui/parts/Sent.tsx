import type { ComponentChild } from 'preact'
import type { BlocksView } from '../api/types.js'
import { href } from '../shell/route.js'
import { JsonView } from './JsonView.js'
import { HashLink, Linked } from './Linked.js'
import { Money } from './Money.js'
import { Facts } from './panels.js'

type Sent = BlocksView['blocks'][number]['transactions'][number]

export function SentDetails({ sent, network }: { sent: Sent; network: string }) {
  const { from, to, from_name, to_name, nonce, value, fee, args, request_id } = sent
  const native = network === 'polygon' ? 'POL' : 'ETH'
  const money = (raw: string | null) => raw !== null && <Money raw={raw} symbol={native} />
  const rows: [string, ComponentChild][] = [
    ['From', from && <Address of={from} name={from_name} />],
    ['To', to ? <Address of={to} name={to_name} /> : 'a new contract'],
    ['Nonce', nonce],
    ['Value', money(value)],
    ['Fee', money(fee)],
    ['Call', sent.function],
    [
      'Sent for',
      request_id !== null && (
        <Linked text={[request_id, sent.plan_id, sent.activity_id].filter(Boolean).join(', ')} />
      ),
    ],
  ]
  return (
    <>
      <Facts kind="fact-table" of={rows.filter(([, what]) => what !== null && what !== false)} />
      {Object.keys(args).length > 0 && <JsonView value={args} label="Arguments of the call" />}
    </>
  )
}

function Address({ of, name }: { of: string; name: string | null }) {
  if (name === null || name === of) return <code>{of}</code>
  return (
    <>
      {name.startsWith('acc_') ? <a href={href(['accounts', name])}>{name}</a> : name}{' '}
      <code class="small">{of}</code>
    </>
  )
}

export function SentLine({ sent, network }: { sent: Sent; network: string }) {
  const { hash, status, from_name, to_name, function: called } = sent
  return (
    <details class={status === 'reverted' ? 'traced bad' : 'traced'}>
      <summary>
        {from_name ?? 'unknown'} → {to_name ?? 'new contract'}{' '}
        <strong>{called ?? 'transfer'}</strong>
        {status === 'reverted' && <span class="pill bad">reverted</span>}
      </summary>
      <p>
        <HashLink hash={hash} />
      </p>
      <SentDetails sent={sent} network={network} />
    </details>
  )
}
