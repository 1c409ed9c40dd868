/** Matches a whole text against a pattern with `*`, ignoring case. Linear: no backtracking. */
export function matchesGlob(pattern: string, text: string): boolean {
  const word = text.toLowerCase()
  const [first = '', ...others] = pattern.toLowerCase().split('*')
  const last = others.pop()
  if (last === undefined) return word === first
  if (!word.startsWith(first)) return false
  let end = first.length
  for (const part of others) {
    const start = word.indexOf(part, end)
    if (start < 0) return false
    end = start + part.length
  }
  return word.length - last.length >= end && word.endsWith(last)
}
