/** `812 B`, `10.5 kB`. */
export function shownBytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}

/** `4.2 ms`, `1.8 s`; nothing for what is not known. */
export function shownMs(ms: number | undefined): string {
  if (ms === undefined) return ''
  return ms < 1_000 ? `${ms < 10 ? ms : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
