/** The value below which a share `p` (0 to 1) of the samples lies. */
export function percentile(samples, p) {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]
}

/** Runs `work` and returns how long it took, in milliseconds. */
export async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** `p50 1.23 ms, p99 4.56 ms`. */
export function describe(samples) {
  return `p50 ${percentile(samples, 0.5).toFixed(2)} ms, p99 ${percentile(samples, 0.99).toFixed(2)} ms`
}

/** The ratio of two medians with two decimals. */
export function ratio(samples, base) {
  return (percentile(samples, 0.5) / percentile(base, 0.5)).toFixed(2)
}
