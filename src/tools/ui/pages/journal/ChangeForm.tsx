import { useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Choice, Form, TextField } from '../../parts/controls.js'
import { parseSpan } from '../../parts/text.js'

/** A step of a scenario. */
export type Change = Record<string, unknown>

const kinds = {
  time: 'Advance the clock',
  price: 'Change a price',
  fault: 'Add a fault',
  nothing: 'Nothing',
} as const
type Kind = keyof typeof kinds

/** What is to be otherwise: time, a price, a fault. */
export function ChangeForm({
  isRunning,
  onRun,
}: {
  isRunning: boolean
  onRun(change: readonly Change[]): void
}) {
  const [kind, setKind] = useState<Kind>('time')
  const [span, setSpan] = useState('2m 1s')
  const [asset, setAsset] = useState('ETH')
  const [usd, setUsd] = useState('')
  const [rule, setRule] = useState('')
  const { data } = useLoaded('effects', () => answered(controlApi.GET('/_sim/effects')))
  const change = changeOf({ kind, span, asset, usd, rule })
  const assets = Object.keys(overview.value?.prices ?? { ETH: '' })
  return (
    <Form class="row change" onSubmit={() => change && onRun(change)}>
      <Choice
        label="Change"
        value={kind}
        of={Object.entries(kinds)}
        onChange={(value) => setKind(value as Kind)}
      />
      {kind === 'time' && (
        <TextField label="How long" value={span} onInput={setSpan} aria-invalid={!change} />
      )}
      {kind === 'price' && (
        <>
          <Choice label="Asset" value={asset} of={assets} onChange={setAsset} />
          <TextField
            label="USD"
            value={usd}
            onInput={setUsd}
            aria-invalid={usd !== '' && !change}
          />
        </>
      )}
      {kind === 'fault' && (
        <>
          <TextField
            label="Rule"
            value={rule}
            onInput={setRule}
            aria-invalid={rule !== '' && !change}
            list="fork-effects"
            placeholder="plan.no_wallet, or a rule as JSON"
          />
          <datalist id="fork-effects">
            {data?.effects.map(({ on, effect }) => (
              <option key={`${on}.${effect}`} value={`${on}.${effect}`} />
            ))}
          </datalist>
        </>
      )}
      <button type="submit" class="primary" disabled={!change || isRunning}>
        Replay
      </button>
    </Form>
  )
}

/** The change in the words of scenarios; undefined while it is none. */
function changeOf(typed: {
  kind: Kind
  span: string
  asset: string
  usd: string
  rule: string
}): Change[] | undefined {
  if (typed.kind === 'nothing') return []
  if (typed.kind === 'time') {
    const seconds = parseSpan(typed.span)
    return seconds === undefined ? undefined : [{ advance: seconds }]
  }
  if (typed.kind === 'price') {
    const usd = typed.usd.trim()
    return usd === '' ? undefined : [{ price: { [typed.asset]: usd } }]
  }
  const rule = ruleOf(typed.rule.trim())
  return rule && [{ fault: rule }]
}

/** `seam.effect`, or a rule as JSON. */
function ruleOf(text: string): Change | undefined {
  const [, on, effect] = /^(\w+)\.(\w+)$/.exec(text) ?? []
  if (on !== undefined) return { on, effect }
  try {
    const rule: unknown = JSON.parse(text)
    return typeof rule === 'object' && rule !== null ? { ...rule } : undefined
  } catch {
    return undefined
  }
}
