import { effect, signal } from '@preact/signals'
import { Choice } from '../parts/controls.js'

type Theme = 'system' | 'light' | 'dark'
const themes: readonly Theme[] = ['system', 'light', 'dark']
const storedAs = 'svc-sim-theme'

const theme = signal<Theme>(
  themes.find((known) => known === localStorage.getItem(storedAs)) ?? 'system',
)

effect(() => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
  localStorage.setItem(storedAs, theme.value)
})

export function ThemePicker() {
  return (
    <Choice
      label="Theme"
      kind="inline"
      of={themes}
      value={theme.value}
      onChange={(value) => {
        theme.value = themes.find((known) => known === value) ?? 'system'
      }}
    />
  )
}
