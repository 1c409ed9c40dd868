import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { world } from '../api/session.js'
import { hrefIn } from '../shell/route.js'
import { Breakable } from './labels.js'

/** The leased world that a part of a page shows; undefined for the world of all pages. */
export const OtherWorld = createContext<string | undefined>(undefined)

/** With the cursor of one of its lives, as the command takes it. */
const ids = /\b(?:acc|pln|act|qi|req)_[0-9A-Za-z]{12,32}\b(?: --cursor \d+)?/

/** A hash that is certain to be that of a transaction. */
const hashes = /(?<=(?:transaction|mined|reverted|refunded in) )0x[0-9a-f]{64}\b/

const placeOf = (text: string) => {
  const [id = '', cursor = ''] = text.split(' --cursor ')
  return [['timeline', id], { cursor }] as const
}

/** Text in which each id leads to its timeline, and each transaction to its page. */
export function Linked({ text }: { text: string }) {
  const at = useContext(OtherWorld) ?? world.value
  const parts = text.split(new RegExp(`(${ids.source}|${hashes.source})`))
  return (
    <>
      {parts.map((part, index) =>
        /^0x[0-9a-f]{64}$/.test(part) ? (
          <HashLink key={index} hash={part} />
        ) : ids.test(part) ? (
          <a key={index} href={hrefIn(at, ...placeOf(part))}>
            {part}
          </a>
        ) : (
          <Breakable key={index} text={part} />
        ),
      )}
    </>
  )
}

export function HashLink({ hash }: { hash: string }) {
  const at = useContext(OtherWorld) ?? world.value
  return (
    <a href={hrefIn(at, ['transaction', hash])}>
      <code>{hash}</code>
    </a>
  )
}
