import type { EventRecord, Store } from '../store/store.js'
import type { FolioViewer } from './read.js'

/** Looks at accounts to which something has happened, so that what they are worth is recorded. */
export interface ValueWatch {
  /** Takes an event in. While nobody watches, nothing is read. */
  hear(event: EventRecord): void
  /** From now on somebody watches, for example a trace that is kept. */
  watch(): void
  /** Resolves when everything that was heard of has been looked at. */
  settled(): Promise<void>
}

/** Makes it. One account is looked at at a time: a busy simulator has better things to do. */
export function watchValues(given: {
  viewer: FolioViewer
  store: Pick<Store, 'allAccounts'>
  /** Whether a dashboard is open. */
  isWatched(): boolean
}): ValueWatch {
  const { viewer, store } = given
  const waiting = new Set<string>()
  let isKept = false
  let looking: Promise<void> | undefined
  const lookAtAll = async (): Promise<void> => {
    for (const id of waiting) {
      waiting.delete(id)
      const account = (await store.allAccounts()).find(({ accountId }) => accountId === id)
      // What cannot be read now is read at the next event.
      if (account) await viewer.look(account).catch(() => {})
    }
  }
  return {
    hear({ accountId }) {
      if (!isKept && !given.isWatched()) return
      waiting.add(accountId)
      looking ??= lookAtAll()
        .catch(() => {}) // the store has been closed
        .finally(() => {
          looking = undefined
        })
    },
    watch() {
      isKept = true
    },
    settled: async () => looking,
  }
}
