import { useEffect, useState } from 'preact/hooks'
import { overview } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
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
  const effects = useEffects()
  const change = changeOf({ kind, span, asset, usd, rule })
  const assets = Object.keys(overview.value?.prices ?? { ETH: '' })
  return (
    <form
      class="row change"
      onSubmit={(event) => {
        event.preventDefault()
        if (change) onRun(change)
      }}
    >
      <Choice
        label="Change"
        value={kind}
        options={Object.entries(kinds)}
        onChange={(value) => setKind(value as Kind)}
      />
      {kind === 'time' && (
        <Text label="How long" value={span} onInput={setSpan} isWrong={!change} />
      )}
      {kind === 'price' && (
        <>
          <Choice
            label="Asset"
            value={asset}
            options={assets.map((each) => [each, each])}
            onChange={setAsset}
          />
          <Text label="USD" value={usd} onInput={setUsd} isWrong={usd !== '' && !change} />
        </>
      )}
      {kind === 'fault' && (
        <>
          <Text
            label="Rule"
            value={rule}
            onInput={setRule}
            isWrong={rule !== '' && !change}
            list="fork-effects"
            placeholder="plan.no_wallet, or a rule as JSON"
          />
          <datalist id="fork-effects">
            {effects.map(({ on, effect }) => (
              <option key={`${on}.${effect}`} value={`${on}.${effect}`} />
            ))}
          </datalist>
        </>
      )}
      <button type="submit" class="primary" disabled={!change || isRunning}>
        Replay
      </button>
    </form>
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

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function Text({
  label,
  isWrong,
  onInput,
  ...rest
}: {
  label: string
  value: string
  isWrong: boolean
  onInput(value: string): void
  list?: string
  placeholder?: string
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        {...rest}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  )
}

function useEffects() {
  const [effects, setEffects] = useState<readonly { on: string; effect: string }[]>([])
  useEffect(() => {
    void answered(controlApi.GET('/_sim/effects')).then(
      (told) => setEffects(told.effects),
      () => {},
    )
  }, [])
  return effects
}
