/** A place that a search leads to. */
export interface Found {
  title: string
  path: readonly string[]
  query?: Record<string, string>
}

/** What a text says by itself: an id, the hash of a transaction, an error code, or the title of a page. */
export function foundAtOnce(
  text: string,
  pages: readonly { name: string; title: string; isLinked?: true }[],
): Found[] {
  if (text === '') return []
  if (/^(acc|pln|act|qi|req)_[0-9A-Za-z]{12,32}$/.test(text))
    return [{ title: `Timeline of ${text}`, path: ['timeline', text] }]
  if (/^0x[0-9a-fA-F]{64}$/.test(text))
    return [{ title: `Transaction ${text}`, path: ['transaction', text] }]
  const named = pages
    .filter(({ title, isLinked }) => !isLinked && title.toLowerCase().includes(text.toLowerCase()))
    .map(({ name, title }) => ({ title: `Page ${title}`, path: [name] }))
  const isCode = /^[a-z]+(_[a-z]+)+$/.test(text)
  return isCode
    ? [
        ...named,
        { title: `Requests refused with ${text}`, path: ['journal'], query: { path: text } },
      ]
    : named
}
