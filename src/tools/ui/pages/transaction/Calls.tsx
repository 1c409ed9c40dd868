import type { TransactionView } from '../../api/types.js'
import { DecodedLog, JsonView } from '../../parts/JsonView.js'
import { Count, Panel } from '../../parts/panels.js'

/** The calls as a tree: each is indented below its caller, and opens to its arguments. */
export function Calls({ calls, calls_left_out }: TransactionView) {
  return (
    <Panel title="Calls" aside={<Count of={calls ?? []} />}>
      {calls === null && <p class="empty">The node can no longer trace this transaction.</p>}
      <ol class="call-tree">
        {calls?.map((call, index) => (
          <li key={index} style={{ '--depth': call.depth }}>
            <details class={call.error === null ? 'traced' : 'traced bad'}>
              <summary>
                <span class="small">{call.type}</span> {call.to ?? 'new contract'}
                {call.function !== null && (
                  <>
                    .<strong>{call.function}</strong>({Object.keys(call.args).join(', ')})
                  </>
                )}
                {call.error !== null && <span class="pill bad">{call.error}</span>}
              </summary>
              <p class="small">
                from {call.from} to <code>{call.address}</code>, value {call.value}, gas{' '}
                {call.gas_used}
              </p>
              <JsonView value={call.args} label={`Arguments of ${call.function ?? 'the call'}`} />
            </details>
          </li>
        ))}
      </ol>
      {calls_left_out > 0 && <p class="small">{calls_left_out} more calls are not shown.</p>}
    </Panel>
  )
}

/** The logs in their order. */
export function TransactionLogs({ logs }: TransactionView) {
  return (
    <Panel title="Logs" aside={<Count of={logs} />}>
      {logs.map((log, index) => (
        <DecodedLog key={index} {...log} />
      ))}
    </Panel>
  )
}
