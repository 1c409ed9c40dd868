import { useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import { Form } from '../../parts/controls.js'
import { Panel } from '../../parts/panels.js'
import { attempt } from '../../shell/notices.js'

/** What assets cost; each can be changed where it stands. */
export function Prices() {
  const prices = overview.value?.prices
  return (
    <Panel title="Prices" aside={<span class="small">USD, on all networks</span>}>
      {prices ? (
        <div class="prices columns">
          {Object.entries(prices).map(([asset, usd]) =>
            isReadOnly.value ? (
              <p key={asset} class="price">
                <span>{asset}</span> <span>{usd}</span>
              </p>
            ) : (
              <PriceField key={asset} asset={asset} usd={usd} />
            ),
          )}
        </div>
      ) : (
        <p class="empty">
          {isReadOnly.value ? 'This trace has no prices.' : 'Unavailable: no node responds.'}
        </p>
      )}
    </Panel>
  )
}

function PriceField({ asset, usd }: { asset: string; usd: string }) {
  const [typed, setTyped] = useState<string>()
  const isOther = typed !== undefined && typed !== usd
  const set = async (): Promise<void> => {
    if (!isOther) return setTyped(undefined)
    const params = { params: { path: { asset } }, body: { usd: typed.trim() } }
    const isMoved = await attempt(`Price of ${asset} set to ${typed}`, () =>
      answered(controlApi.PUT('/_sim/prices/{asset}', params)),
    )
    if (isMoved) setTyped(undefined)
  }
  return (
    <Form class="price" onSubmit={set}>
      <label>
        <span>{asset}</span>
        <input
          inputMode="decimal"
          value={typed ?? usd}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setTyped(undefined)}
        />
      </label>
      {isOther && (
        <button type="submit" aria-label={`Set the price of ${asset}`}>
          Set
        </button>
      )}
    </Form>
  )
}
