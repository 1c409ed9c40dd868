import { useState } from 'preact/hooks'
import type { NetworkName } from '../../../../deployments/networks.js'
import { assets, assetsOn } from '../../api/assets.js'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { Choice, Form, TextField } from '../../parts/controls.js'
import { typedAmount } from '../../parts/money.js'
import { Panel } from '../../parts/panels.js'
import { attempt } from '../../shell/notices.js'

/** What is mostly given, in whole units. */
const usual = [
  { asset: 'USDC', amount: '1000' },
  { asset: 'WETH', amount: '1' },
  { asset: 'ETH', amount: '1' },
]

export function Fund({ id }: { id: string }) {
  const [network, setNetwork] = useState<NetworkName>('base')
  const [asset, setAsset] = useState('USDC')
  const [amount, setAmount] = useState('1000')
  const symbols = assetsOn(network)
  const decimals = assets.value[asset]?.decimals
  const smallest = decimals === undefined ? undefined : typedAmount(amount, asset, decimals)
  const give = (given: string, symbol: string): Promise<boolean> =>
    attempt(`Added ${given} ${symbol} on ${network}`, async () => {
      const units = typedAmount(given, symbol, assets.value[symbol]?.decimals ?? 0)
      const body = { account_id: id, asset: symbol, amount: units ?? given, network }
      await answered(controlApi.POST('/_sim/fund', { body }))
    })
  return (
    <Panel title="Give funds" kind="steers">
      <Form class="fund columns fit" onSubmit={() => give(amount.trim(), asset)}>
        <Choice
          label="Network"
          of={(overview.value?.networks ?? []).map((each) => each.network)}
          value={network}
          onChange={(value) => setNetwork(value as NetworkName)}
        />
        <Choice
          label="Asset"
          of={[...new Set([...symbols, asset])]}
          value={asset}
          onChange={setAsset}
        />
        <TextField
          label="Amount"
          inputMode="decimal"
          value={amount}
          aria-invalid={amount !== '' && decimals !== undefined && smallest === undefined}
          onInput={setAmount}
        />
        <button type="submit" class="primary" disabled={smallest === undefined}>
          Fund
        </button>
      </Form>
      <div class="row">
        {usual
          .filter((each) => symbols.includes(each.asset))
          .map((each) => (
            <button key={each.asset} type="button" onClick={() => give(each.amount, each.asset)}>
              +{each.amount} {each.asset}
            </button>
          ))}
      </div>
      <p class="small">
        In whole units (<code>raw:10</code> is in the smallest), added to the wallet’s balance.
      </p>
    </Panel>
  )
}
