import { batch, computed, effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isUnexecuted } from '../parts/planned.js'
import { answered, apiKey, askControl, controlApi, needsToken } from './session.js'
import type { ClockView, ExchangeView, Overview, StreamMessage, TraceInfo } from './types.js'

export const connection = signal<'connecting' | 'live' | 'broken' | 'gone'>('connecting')

export const restarts = signal(0)

/** Loaded when the stream opens, then kept up to date by it. */
export const overview = signal<Overview | undefined>()

/** The clock as the simulator last sent it, and when that was by the page's own clock. */
export const toldClock = signal<(ClockView & { toldAt: number }) | undefined>()

/** The trace that the page shows; null for a running simulator, undefined before it is known. */
export const trace = signal<TraceInfo['trace'] | undefined>()
export const isReadOnly = computed(() => !!trace.value)

effect(() => {
  // After each break: something else may answer then.
  if (connection.value !== 'live') return
  void answered(controlApi.GET('/_sim/trace')).then(
    (origin) => {
      trace.value = origin.trace
    },
    () => {},
  )
})

const tick = signal(performance.now())

/** The simulator's time in milliseconds, updated each second; undefined before it is known. */
export const now = computed(() => {
  const clock = toldClock.value
  // A trace stands at its end.
  if (clock?.mode !== 'real' || isReadOnly.value) return clock?.unix_ms
  return clock.unix_ms + Math.max(0, tick.value - clock.toldAt)
})

/** Newest first. */
export const exchanges = signal<readonly ExchangeView[]>([])

/** Whether the newest exchanges have been loaded: before that, an empty list means nothing. */
export const isJournalKnown = signal(false)

export const missed = signal(0)

export const faults = computed(() => overview.value?.faults ?? [])

/** The network with this chain id; the id itself where there is none. */
export function networkOfChain(chainId: string | number): string {
  const known = overview.value?.networks.find(({ chain_id }) => chain_id === Number(chainId))
  return known?.network ?? String(chainId)
}

/** Why plans cannot be executed any more, as far as the simulator says so: `stale`, `expired`, or `gone`. */
export const endedPlans = computed<ReadonlyMap<string, string>>(() => {
  const { plans = [], ended_plans = [] } = overview.value ?? {}
  const stale = plans.flatMap(({ plan_id, is_stale }) => (is_stale ? [[plan_id, 'stale']] : []))
  const ended = ended_plans.map(({ plan_id, outcome }) => [plan_id, outcome])
  return new Map([...stale, ...ended] as [string, string][])
})

/** Whether a cursor of the journal belongs to the present state: no restore or reset has undone what happened there. */
export const isPresent = (cursor: number): boolean =>
  overview.value?.present.some(
    ({ after, until }) => cursor > after && (until === null || cursor <= until),
  ) ?? true

/** Runs the work when called. Calls while it runs make it run once more, however many they are. */
export function coalesced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle'
  const run = async (): Promise<void> => {
    do {
      state = 'running'
      await work().catch(() => {})
    } while ((state as string) === 'again')
    state = 'idle'
  }
  return () => {
    if (state === 'idle') void run()
    else state = 'again'
  }
}

const keptEntries = 10_000

const listeners = new Set<(message: StreamMessage) => void>()

/** Calls back for each message of the stream, after the signals of this module have it; returns how to stop that. @public */
export function onMessage(listener: (message: StreamMessage) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Messages that arrive while the overview loads: the response may be older than they are. */
let messagesMeanwhile: StreamMessage[] | undefined

const reload = coalesced(async () => {
  const messages: StreamMessage[] = []
  messagesMeanwhile = messages
  try {
    const loaded = await answered(controlApi.GET('/_sim/overview'))
    batch(() => {
      overview.value = loaded
      apiKey.value = loaded.api_keys[0]
      toldClock.value = { ...loaded.clock, toldAt: performance.now() }
      for (const message of messages) keep(message)
    })
  } finally {
    messagesMeanwhile = undefined
  }
})

/** The newest exchanges from before the page was opened. The stream brings the later ones. */
const loadExchanges = coalesced(async () => {
  const page = await answered(
    controlApi.GET('/_sim/journal', { params: { query: { limit: 200, durations: true } } }),
  )
  batch(() => {
    addExchanges(page.exchanges)
    isJournalKnown.value = true
  })
})

/** All of the journal, oldest first, up to the number that the page keeps. */
export const loadWholeJournal = coalesced(async () => {
  let since = 0
  for (let loaded = 0; loaded < keptEntries; ) {
    const query = { since, limit: 1_000, durations: true }
    const page = await answered(controlApi.GET('/_sim/journal', { params: { query } }))
    addExchanges(page.exchanges)
    loaded += page.exchanges.length
    if (page.exchanges.length < query.limit) return
    since = page.cursor
  }
})

/** Merges them by cursor, newest first, each once: one that was listed without its answer, or its activity, gives way. */
function addExchanges(given: readonly ExchangeView[]): void {
  if (given.length === 0) return
  const before = exchanges.peek()
  const merged: ExchangeView[] = []
  let next = 0
  // What is known is in order already: to sort ten thousand anew for each that comes would be felt.
  for (const exchange of [...given].sort((a, b) => b.cursor - a.cursor)) {
    while (next < before.length && before[next]!.cursor >= exchange.cursor)
      merged.push(before[next++]!)
    const known = merged.at(-1)
    if (known?.cursor !== exchange.cursor) merged.push(exchange)
    else if (known.answer === null || (isUnexecuted(known) && !isUnexecuted(exchange)))
      merged[merged.length - 1] = exchange
  }
  exchanges.value = [...merged, ...before.slice(next)].slice(0, keptEntries)
}

/** Adds events to the executions that caused them: an exchange comes when it is answered, and its events later. */
function addEvents(messages: readonly StreamMessage[]): void {
  const events = messages.flatMap(({ type, data }) =>
    type === 'event'
      ? [
          {
            at: new Date(data.timestamp * 1000).toISOString(),
            type,
            cursor: data.cursor,
            ...data.data,
          },
        ]
      : [],
  )
  if (events.length === 0) return
  const hasBegun = events.some(({ activity_status }) => activity_status === 'pending')
  // A plan may be executed after its client has left: the stream does not send that request again.
  if (hasBegun && exchanges.peek().some((each) => each.answer?.cut && isUnexecuted(each)))
    loadExchanges()
  exchanges.value = exchanges.peek().map((exchange) => {
    const { notes, cursor: place } = exchange
    // After a reset, an undone execution may have the id of a present one.
    const begun = isPresent(place) ? notes.find(({ type }) => type === 'activity') : undefined
    const more = events.filter(
      ({ activity_id, cursor }) =>
        activity_id === begun?.activity_id && !notes.some((note) => note.cursor === cursor),
    )
    return more.length > 0 ? { ...exchange, notes: [...notes, ...more] } : exchange
  })
}

/** Messages since the last update: a busy simulator sends more than the page can draw one by one. */
let waiting: StreamMessage[] = []

function take(message: StreamMessage): void {
  if (waiting.length === 0) setTimeout(takeWaiting, 50)
  waiting.push(message)
}

function takeWaiting(): void {
  const messages = waiting
  waiting = []
  batch(() => {
    addExchanges(messages.flatMap(({ type, data }) => (type === 'exchange' ? [data] : [])))
    addEvents(messages)
    for (const message of messages) {
      keep(message)
      if (message.type === 'dropped') missed.value += message.data.count
    }
    messagesMeanwhile?.push(...messages)
  })
  if (messages.some(changesMore)) reload()
  for (const message of messages) for (const listener of [...listeners]) listener(message)
}

/** Applies a message that says all by itself, without a request. */
function keep({ type, data }: StreamMessage): void {
  const before = overview.peek()
  if (type === 'clock') toldClock.value = { ...data, toldAt: performance.now() }
  else if (type === 'block' && before)
    overview.value = {
      ...before,
      networks: before.networks.map((view) =>
        view.network === data.network ? { ...view, height: data.number, time: data.time } : view,
      ),
    }
  else if (type === 'fault' && data.change === 'fired' && before)
    overview.value = {
      ...before,
      faults: before.faults.map((each) => (each.id === data.fault.id ? data.fault : each)),
    }
}

function changesMore({ type, data }: StreamMessage): boolean {
  if (type === 'exchange')
    return (
      data.answer?.cut ||
      (data.answer?.status ?? 0) >= 400 ||
      (data.method !== 'GET' && /\/(plan\/|prices\/|rpc\/|fund$)/.test(data.url))
    )
  return (
    type === 'clock' ||
    type === 'event' ||
    type === 'snapshot' ||
    type === 'dropped' ||
    (type === 'fault' && data.change !== 'fired')
  )
}

function forget(): void {
  batch(() => {
    overview.value = undefined
    toldClock.value = undefined
    exchanges.value = []
    isJournalKnown.value = false
    missed.value = 0
  })
  waiting = []
}

const firstWaitMs = 500
const longestWaitMs = 8_000

/**
 * Forgets all about the world before, and follows the shown one until the signal aborts or the world is gone; behind the last entry after
 * each break. `EventSource` can send no header, and the token is one.
 */
export async function followWorld(signal: AbortSignal): Promise<void> {
  connection.value = 'connecting'
  forget()
  const ticking = setInterval(() => {
    if (!document.hidden) tick.value = performance.now()
  }, 1000)
  signal.addEventListener('abort', () => clearInterval(ticking))
  let lastId: string | undefined
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> =
        lastId === undefined ? {} : { 'last-event-id': lastId }
      const request = new Request('/_sim/stream', { headers, cache: 'no-store', signal })
      const response = await askControl(request)
      if (response.status === 404) {
        connection.value = 'gone'
        return
      }
      if (response.ok && response.body) {
        const start = response.headers.get('last-event-id') ?? undefined
        if (lastId !== undefined && runOf(start) !== runOf(lastId)) {
          forget()
          restarts.value++
        }
        lastId = start
        connection.value = 'live'
        reload()
        loadExchanges()
        waitMs = firstWaitMs
        const text = response.body.pipeThrough(new TextDecoderStream())
        const events = text.pipeThrough(new EventSourceParserStream()).getReader()
        for (let read = await events.read(); !read.done; read = await events.read()) {
          const { id = lastId, event, data } = read.value
          lastId = id
          take({ type: event, data: JSON.parse(data) } as StreamMessage)
        }
      }
    } catch {
      // Broken connections and refusals alike: it is tried again.
    }
    if (signal.aborted) return
    connection.value = needsToken.peek() === 'no' ? 'broken' : 'connecting'
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/** Ids begin with a part that changes with each start of the simulator. */
const runOf = (id: string | undefined) => id?.split('-')[0]
