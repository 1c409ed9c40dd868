import { ownReads } from '../../api/ownReads.js'
import { Status } from '../../parts/labels.js'
import { Scroller } from '../../parts/panels.js'
import { shownClock, shownMs } from '../../parts/text.js'

/** What the page itself has read, newest first. */
export function OwnReads() {
  return (
    <Scroller kind="own-reads" label="Reads of this page, newest first">
      <p class="small">
        The last {ownReads.value.length} reads of this page since it was loaded. Faults ignore them,
        and the journal omits them.
      </p>
      <ol class="feed">
        {ownReads.value.map(({ id, at, url, answer, tookMs }) => (
          <li key={id}>
            <time>{at === null ? '' : shownClock(at)}</time>
            <span class="method">GET</span>
            <span class="url">{url}</span>
            {answer ? <Status answer={answer} /> : <span class="pill">no response</span>}
            <span class="size">{shownMs(Math.round(tookMs))}</span>
          </li>
        ))}
      </ol>
    </Scroller>
  )
}
