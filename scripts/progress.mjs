/** Prints a line every ten seconds while `parts` names something that is being made. Returns what ends it. */
export function reportProgress(parts, print = (line) => process.stdout.write(line)) {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 10
    const names = parts()
    if (names.length > 0) print(`build: ${seconds} s, still making: ${names.join(', ')}\n`)
  }, 10_000)
  timer.unref()
  return () => clearInterval(timer)
}
