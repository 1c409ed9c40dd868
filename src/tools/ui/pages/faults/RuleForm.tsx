import { useState } from 'preact/hooks'
import { assetsOn } from '../../api/assets.js'
import { faults } from '../../api/live.js'
import type { FormSchema } from '../../api/schemas.js'
import { answered, controlApi } from '../../api/session.js'
import { useKept } from '../../api/tabStorage.js'
import type { EffectEntry, Fault } from '../../api/types.js'
import { useAsking } from '../../api/useAsking.js'
import { Form } from '../../parts/controls.js'
import { bodyOf, type FormValues, fieldOf } from '../../parts/formValues.js'
import { Breakable, Described } from '../../parts/labels.js'
import { SchemaFields } from '../../parts/SchemaFields.js'
import { RefusalBox } from '../../parts/verdicts.js'
import { attempt } from '../../shell/notices.js'
import { here, href } from '../../shell/route.js'

/** The fields of a rule that say how often it fires; those of `match` have a group of their own. */
const howOften = ['after', 'times', 'probability', 'id']

/** Once: a rule that goes on is armed on purpose. */
const usual: FormValues = { times: '1' }

export function RuleForm({
  entry,
  rule,
  account,
  kinds,
}: {
  entry: EffectEntry
  rule: FormSchema
  /** Whose calls it is for; empty for everybody's. */
  account: string
  kinds: readonly string[]
}) {
  const kept = `rule ${entry.on}.${entry.effect}`
  const [settings, setSettings] = useKept<FormValues>(`${kept} settings`, () =>
    linkedValues('settings'),
  )
  const [match, setMatch] = useKept<FormValues>(`${kept} match`, () => linkedValues('match'))
  const [often, setOften] = useKept<FormValues>(`${kept} often`, () => linkedValues('often'), usual)
  const { refusal, ask } = useAsking()
  const [armed, setArmed] = useState<string>()
  const settingsSchema = entry.settings as FormSchema
  const matchSchema = matchOf(entry, rule, kinds)
  // An effect that stands until it is removed has no number of times.
  const oftenSchema = only(rule, entry.lasts ? ['id'] : howOften)
  const chosen = bodyOf(settingsSchema, settings)
  const body = {
    on: entry.on,
    // A name alone where nothing is set.
    effect: Object.keys(chosen).length === 0 ? entry.effect : { [entry.effect]: chosen },
    match: {
      ...bodyOf(matchSchema, match),
      ...(account !== '' && entry.matches.includes('account_id') && { account_id: account }),
    },
    ...bodyOf(oftenSchema, often),
  }
  const add = () =>
    ask(async () => {
      const { id } = await addRule(body)
      await attempt(`Fault ${id} armed`, async () => {})
      setArmed(id)
    })
  const refusedIn = (schema: FormSchema) =>
    refusal && {
      field: fieldOf(refusal.message.replace(/^match\./, ''), schema),
      message: refusal.message,
      hint: refusal.hint,
    }
  const groups = [
    ['settings', 'Settings', settingsSchema, settings, setSettings],
    ['match', 'Only for these calls', matchSchema, match, setMatch],
    ['often', 'How often', oftenSchema, often, setOften],
  ] as const
  return (
    <Form class="rule-form" aria-label={`${entry.on}.${entry.effect}`} onSubmit={add}>
      <h3>
        {entry.on}.{entry.effect}
      </h3>
      <p>
        <Described text={entry.summary} />
      </p>
      {entry.synthetic !== null && (
        <p class="small">
          Synthetic error, without a cause in the world: <Described text={`${entry.synthetic}.`} />
        </p>
      )}
      {groups
        .filter(([, , schema]) => Object.keys(schema.properties ?? {}).length > 0)
        .map(([id, title, schema, values, set]) => (
          <fieldset key={id}>
            <legend class="small">{title}</legend>
            <SchemaFields
              id={id}
              schema={schema}
              values={values}
              onChange={set}
              refused={refusedIn(schema)}
            />
          </fieldset>
        ))}
      {refusal && <RefusalBox refusal={refusal} />}
      <div class="row">
        <button type="submit" class="primary">
          Arm
        </button>
        <code class="small">
          <Breakable text={JSON.stringify(body)} />
        </code>
      </div>
      {armed !== undefined && faults.value.some(({ id }) => id === armed) && (
        <p>
          <a href={href(['timeline', armed])}>{armed}</a>{' '}
          {entry.lasts ? 'is in force.' : 'is armed.'} <a href={href(['plan'])}>Make a plan</a> to
          meet it: the list above counts what it hits.
        </p>
      )}
    </Form>
  )
}

function linkedValues(group: string): FormValues | undefined {
  const entries = [...here.peek().query].flatMap(([name, value]) => {
    const [of, field] = name.split('.')
    return of === group && field !== undefined ? [[field, value] as const] : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** What else the calls of an effect can be told by: kind and asset are chosen from what there is. */
function matchOf({ matches }: EffectEntry, rule: FormSchema, kinds: readonly string[]): FormSchema {
  const words: Record<string, readonly string[]> = { kind: kinds, asset: assetsOn(undefined) }
  const others = matches.filter((name) => name !== 'account_id')
  const { properties, ...schema } = only(rule.properties?.match ?? {}, others)
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const all = words[name]
    return [name, all ? { ...field, enum: [...all] } : field]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

function only(schema: FormSchema, names: readonly string[]): FormSchema {
  const properties = names.flatMap((name) => {
    const field = schema.properties?.[name]
    return field ? [[name, field] as const] : []
  })
  return { type: 'object', properties: Object.fromEntries(properties), required: [] }
}

/** Adds a fault rule. What was typed goes as it is: the simulator says what is wrong with it. */
export function addRule(rule: unknown): Promise<Fault> {
  return answered(controlApi.POST('/_sim/faults', { body: rule as never }))
}
