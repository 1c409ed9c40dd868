import { useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import { attempt } from '../../shell/notices.js'

/** What assets cost; each can be changed where it stands. */
export function Prices() {
  const prices = overview.value?.prices
  return (
    <section class="panel" aria-labelledby="prices-title">
      <header>
        <h2 id="prices-title">Prices</h2>
        <span class="small">USD, on all networks</span>
      </header>
      {prices ? (
        <div class="prices">
          {Object.entries(prices).map(([asset, usd]) =>
            isReadOnly.value ? (
              <p key={asset} class="price told">
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
    </section>
  )
}

function PriceField({ asset, usd }: { asset: string; usd: string }) {
  const [typed, setTyped] = useState<string>()
  const set = async (): Promise<void> => {
    if (typed === undefined || typed === usd) return setTyped(undefined)
    const isMoved = await attempt(`Price of ${asset} set to ${typed}`, () =>
      answered(
        controlApi.PUT('/_sim/prices/{asset}', {
          params: { path: { asset } },
          body: { usd: typed.trim() },
        }),
      ),
    )
    if (isMoved) setTyped(undefined)
  }
  return (
    <form
      class="price"
      onSubmit={(event) => {
        event.preventDefault()
        void set()
      }}
    >
      <label>
        <span>{asset}</span>
        <input
          inputMode="decimal"
          value={typed ?? usd}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setTyped(undefined)}
        />
      </label>
      {typed !== undefined && typed !== usd && (
        <button type="submit" aria-label={`Set the price of ${asset}`}>
          Set
        </button>
      )}
    </form>
  )
}
