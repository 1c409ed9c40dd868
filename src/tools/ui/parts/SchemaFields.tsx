import type { FormSchema } from '../api/schemas.js'
import { type FormValues, fieldKind } from './formValues.js'
import { Described } from './labels.js'

interface FieldsProps {
  /** Distinguishes the fields of forms that stand beside each other. */
  id: string
  schema: FormSchema
  values: FormValues
  onChange(values: FormValues): void
  refused?: { field: string | undefined; message: string; hint: string | undefined } | undefined
  /** Values that are offered for a field with what speaks for them, and what its value means. */
  offers?(name: string): readonly { value: string; label: string }[]
  meaning?(name: string): string | undefined
}

/** The fields of a JSON schema: whatever the document says can be sent can be typed here. */
export function SchemaFields(props: FieldsProps) {
  return (
    <div class="columns" style={{ '--least': '16rem' }}>
      {Object.entries(props.schema.properties ?? {}).map(([name, field]) => (
        <SchemaField key={name} name={name} field={field} {...props} />
      ))}
    </div>
  )
}

interface FieldProps extends FieldsProps {
  name: string
  field: FormSchema
}

const isRequired = ({ name, schema }: FieldProps) => schema.required?.includes(name) === true

function SchemaField(props: FieldProps) {
  const { id, name, field, refused, meaning } = props
  const at = `${id}-${name}`
  const isRefused = refused?.field === name
  const means = meaning?.(name)
  return (
    <div class="field schema-field">
      <label for={at}>
        <code>{name}</code>
        {!isRequired(props) && <span class="small"> optional</span>}
      </label>
      <div class="field-input">
        <FieldInput {...props} at={at} isRefused={isRefused} />
        {/amount/.test(name) && field.description?.includes('`max`') && (
          <button
            type="button"
            aria-label={`Max ${name}`}
            onClick={() => props.onChange({ ...props.values, [name]: 'max' })}
          >
            Max
          </button>
        )}
      </div>
      {means !== undefined && <p class="meaning">{means}</p>}
      {isRefused && refused && (
        <div class="refused-text" id={`${at}-refused`} role="alert">
          <p>{refused.message}</p>
          {refused.hint && <p class="hint">{refused.hint}</p>}
        </div>
      )}
      {field.description && (
        <p class="small" id={`${at}-about`}>
          <Described text={field.description} />
        </p>
      )}
    </div>
  )
}

function FieldInput(props: FieldProps & { at: string; isRefused: boolean }) {
  const { at, name, field, isRefused, values, onChange, offers } = props
  const set = (value: string | boolean): void => onChange({ ...values, [name]: value })
  const about = [isRefused ? `${at}-refused` : '', field.description ? `${at}-about` : '']
  const common = {
    id: at,
    'aria-describedby': about.filter(Boolean).join(' ') || undefined,
    'aria-invalid': isRefused,
  }
  const kind = fieldKind(field)
  if (kind === 'flag')
    return (
      <input
        {...common}
        type="checkbox"
        checked={values[name] === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    )
  if (kind === 'choice')
    return (
      <select
        {...common}
        value={String(values[name] ?? '')}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        {(!isRequired(props) || values[name] === undefined) && <option value="">-</option>}
        {field.enum?.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    )
  const words = offers?.(name) ?? []
  return (
    <>
      <input
        {...common}
        type="text"
        value={String(values[name] ?? '')}
        placeholder={shownExample(field)}
        inputMode={kind === 'number' ? ('decimal' as const) : ('text' as const)}
        autocomplete="off"
        spellcheck={false}
        list={words.length > 0 ? `${at}-words` : undefined}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      {words.length > 0 && (
        <datalist id={`${at}-words`}>
          {words.map(({ value, label }) => (
            <option key={value} value={value} label={label === '' ? value : `${value}: ${label}`} />
          ))}
        </datalist>
      )}
    </>
  )
}

function shownExample({ example, examples, default: usual }: FormSchema): string {
  const shown = usual ?? example ?? examples?.[0]
  return shown === undefined ? '' : Array.isArray(shown) ? shown.join(', ') : String(shown)
}
