import { useContext } from 'preact/hooks'
import { world } from '../api/session.js'
import { hrefIn } from '../shell/route.js'
import { OtherWorld } from './OtherWorld.js'

const ids = /\b(?:acc|pln|act|qi|req)_[0-9A-Za-z]{12,32}\b/

/** Text in which each id leads to its timeline. */
export function Linked({ text }: { text: string }) {
  const at = useContext(OtherWorld) ?? world.value
  const parts = text.split(new RegExp(`(${ids.source})`))
  return (
    <>
      {parts.map((part, index) =>
        ids.test(part) ? (
          <a key={index} href={hrefIn(at, ['timeline', part])}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}
