import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { attempt } from '../shell/notices.js'

interface Labelled {
  label: string
  /** Further classes: `inline` puts the label beside the control. */
  kind?: string | undefined
}

export function Field({ label, kind = '', children }: Labelled & { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class={`field ${kind}`}>
      <span>{label}</span>
      {children}
    </label>
  )
}

/** What text fields take of an `input`: the types of preact allow each only together with some values of `type`. */
interface InputProps {
  type?: 'text' | 'search' | 'password'
  value: string
  placeholder?: string
  maxLength?: number
  inputMode?: 'decimal'
  list?: string
  required?: boolean
  autocomplete?: 'off'
  'aria-invalid'?: boolean
}

export function TextField({
  label,
  kind,
  onInput,
  ...input
}: Labelled & InputProps & { onInput(text: string): void }) {
  return (
    <Field label={label} kind={kind}>
      <input
        {...(input as ComponentProps<'input'>)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </Field>
  )
}

export function Choice({
  label,
  kind,
  of,
  value,
  disabled = false,
  onChange,
}: Labelled & {
  /** The values, each with the text that is shown where it is another one. */
  of: readonly (string | readonly [value: string, text: string])[]
  value: string
  disabled?: boolean
  onChange(value: string): void
}) {
  return (
    <Field label={label} kind={kind}>
      <select
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {of.map((option) => {
          const [given, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={given} value={given}>
              {text}
            </option>
          )
        })}
      </select>
    </Field>
  )
}

export function CheckField({
  label,
  isOn,
  onChange,
}: {
  label: string
  isOn: boolean
  onChange(isOn: boolean): void
}) {
  return (
    <label class="field inline">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): unknown }) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    />
  )
}

export function Act({
  done,
  work,
  ...button
}: Omit<ComponentProps<'button'>, 'onClick'> & {
  done: string
  work(): Promise<unknown>
}) {
  return <button type="button" {...button} onClick={() => attempt(done, work)} />
}

export function AskTwice({
  label,
  really,
  onSure,
}: {
  label: string
  really: string
  onSure(): void
}) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      class={isAsked ? 'danger sure' : 'danger'}
      onBlur={() => setAsked(false)}
      onClick={() => {
        setAsked(!isAsked)
        if (isAsked) onSure()
      }}
    >
      {isAsked ? really : label}
    </button>
  )
}

export function Copy({ label, text }: { label: string; text: () => string }) {
  return (
    <Act done="Copied" work={() => navigator.clipboard.writeText(text())}>
      {label}
    </Act>
  )
}
