import { effect, signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'
const themes: readonly Theme[] = ['system', 'light', 'dark']
const storedAs = 'svc-sim-theme'

const theme = signal<Theme>(
  themes.find((known) => known === localStorage.getItem(storedAs)) ?? 'system',
)

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(storedAs, theme.value)
})

/** Light, dark, or as the system says. */
export function ThemePicker() {
  return (
    <label class="field inline">
      <span>Theme</span>
      <select
        value={theme.value}
        onChange={({ currentTarget }) => {
          theme.value = themes.find((known) => known === currentTarget.value) ?? 'system'
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}
