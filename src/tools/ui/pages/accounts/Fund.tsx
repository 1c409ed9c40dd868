import { useEffect, useState } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { assets, assetsOn, needAssets } from '../../api/assets.js'
import { overview } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { smallestUnits } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'

type Network = components['schemas']['Fund']['network']

/** What is mostly given, in whole units. */
const usual = [
  { asset: 'USDC', amount: '1000' },
  { asset: 'WETH', amount: '1' },
  { asset: 'ETH', amount: '1' },
]

/** Gives an account funds. */
export function Fund({ id }: { id: string }) {
  const [network, setNetwork] = useState<Network>('base')
  const [asset, setAsset] = useState('USDC')
  const [amount, setAmount] = useState('1000')
  useEffect(needAssets, [])
  const symbols = assetsOn(network)
  const decimals = assets.value[asset]?.decimals
  const smallest = decimals === undefined ? undefined : smallestUnits(amount, decimals)
  const give = (given: string, symbol: string): Promise<boolean> =>
    attempt(`Added ${given} ${symbol} on ${network}`, async () => {
      const units = smallestUnits(given, assets.value[symbol]?.decimals ?? 0)
      const body = { account_id: id, asset: symbol, amount: units ?? given, network }
      await answered(controlApi.POST('/_sim/fund', { body }))
    })
  return (
    <section class="panel steers" aria-labelledby="fund-title">
      <header>
        <h2 id="fund-title">Give funds</h2>
      </header>
      <form
        class="fund"
        onSubmit={(event) => {
          event.preventDefault()
          void give(amount.trim(), asset)
        }}
      >
        <label class="field">
          <span>Network</span>
          <select
            value={network}
            onChange={({ currentTarget }) => setNetwork(currentTarget.value as Network)}
          >
            {overview.value?.networks.map((each) => (
              <option key={each.network} value={each.network}>
                {each.network}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Asset</span>
          <select value={asset} onChange={({ currentTarget }) => setAsset(currentTarget.value)}>
            {[...new Set([...symbols, asset])].map((symbol) => (
              <option key={symbol} value={symbol}>
                {symbol}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Amount</span>
          <input
            inputMode="decimal"
            value={amount}
            aria-invalid={amount !== '' && decimals !== undefined && smallest === undefined}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={smallest === undefined}>
          Fund
        </button>
      </form>
      <div class="row">
        {usual
          .filter((each) => symbols.includes(each.asset))
          .map((each) => (
            <button key={each.asset} type="button" onClick={() => give(each.amount, each.asset)}>
              +{each.amount} {each.asset}
            </button>
          ))}
      </div>
      <p class="small">In whole units, added to the wallet’s balance.</p>
    </section>
  )
}
