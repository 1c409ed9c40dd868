import { useLayoutEffect, useState } from 'preact/hooks'

/** What this tab kept under a name; undefined for nothing, or where the browser has no storage. */
export function kept<Value>(name: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(`svc-sim ${name}`)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps a value until the tab is closed; a reload finds it again. Undefined forgets it. */
export function keepInTab(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(`svc-sim ${name}`)
    else sessionStorage.setItem(`svc-sim ${name}`, JSON.stringify(value))
  } catch {
    // Storage is full or switched off: the page works without it.
  }
}

/** A value that survives a reload and the way back; `asked` overrides what was kept. */
export function useKept<Value extends object>(
  name: string,
  override: () => Value | undefined,
  usual = {} as Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => override() ?? kept<Value>(name) ?? usual)
  // At once: a reload may come before the next frame.
  useLayoutEffect(() => keepInTab(name, value), [name, value])
  return [value, setValue]
}
