import { useState } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { Copy } from '../../parts/Copy.js'

type Connect = components['schemas']['Connect']

/** How clients reach this world: snippets to paste, RPC URLs, actors and contracts. Loaded when it is opened. */
export function ConnectPanel() {
  const [connect, setConnect] = useState<Connect>()
  const [shown, setShown] = useState('curl')
  const [failure, setFailure] = useState('')
  const load = (): void => {
    setFailure('')
    answered(controlApi.GET('/_sim/connect')).then(setConnect, ({ message }: Error) =>
      setFailure(message),
    )
  }
  const texts = connect && textsOf(connect)
  const text = texts?.[shown] ?? ''
  return (
    <details
      class="panel connect"
      onToggle={({ currentTarget }) => currentTarget.open && !connect && load()}
    >
      <summary>Connect a client</summary>
      {failure !== '' && <p class="refused-text">{failure}</p>}
      {texts && (
        <>
          <div class="row">
            <label class="field inline">
              <span>Show</span>
              <select value={shown} onChange={({ currentTarget }) => setShown(currentTarget.value)}>
                {Object.keys(texts).map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <Copy label="Copy" text={() => text} />
          </div>
          <pre>{text}</pre>
        </>
      )}
    </details>
  )
}

function textsOf({ snippets, rpc, actors, contracts }: Connect): Record<string, string> {
  const lines = (entries: [string, string][]): string =>
    entries.map(([name, value]) => `${name}  ${value}\n`).join('')
  return {
    ...snippets,
    'RPC URLs': lines(Object.entries(rpc)),
    Actors: lines(actors.map(({ address, privateKey }) => [address, privateKey])),
    Contracts: lines(Object.entries(contracts)),
  }
}
