import { href } from '../shell/route.js'

const ids = /\b(?:acc|pln|act|qi|req)_[0-9a-z]{12}\b/

/** Text in which each id leads to its timeline. */
export function Linked({ text }: { text: string }) {
  const parts = text.split(new RegExp(`(${ids.source})`))
  return (
    <>
      {parts.map((part, index) =>
        ids.test(part) ? (
          <a key={index} href={href(['timeline', part])}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}
