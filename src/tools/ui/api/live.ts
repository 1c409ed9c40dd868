import { batch, computed, signal } from '@preact/signals'
import { coalesced } from './coalesced.js'
import { answered, apiKey, askControl, controlApi, needsToken } from './session.js'
import { followStream, type StreamMessage } from './stream.js'
import type { ClockView, ExchangeView, Overview } from './types.js'

/** How the page hears of what happens. */
export const connection = signal<'connecting' | 'live' | 'broken' | 'gone'>('connecting')

/** How often another simulator has answered in the place of the one before. */
export const restarts = signal(0)

/** How things stand: loaded when the stream opens, then kept by it. */
export const overview = signal<Overview | undefined>()

/** The clock as it was last told, and when that was by the page's own clock. */
export const toldClock = signal<(ClockView & { toldAt: number }) | undefined>()

/** Exchanges, newest first. */
export const exchanges = signal<readonly ExchangeView[]>([])

/** Whether the newest exchanges have been loaded: before that, nobody knows that there are none. */
export const isJournalKnown = signal(false)

/** How many messages this page was too slow for, or has missed. */
export const missed = signal(0)

export const faults = computed(() => overview.value?.faults ?? [])

/** The network with this chain id; the id itself where there is none. */
export function networkOfChain(chainId: string | number): string {
  const known = overview.value?.networks.find(({ chain_id }) => chain_id === Number(chainId))
  return known?.network ?? String(chainId)
}

export const stalePlans = computed<ReadonlySet<unknown>>(
  () =>
    new Set(
      exchanges.value.flatMap(({ notes }) =>
        notes.flatMap(({ type, plan_id }) => (type === 'stale' ? [plan_id] : [])),
      ),
    ),
)

const keptEntries = 10_000

const listeners = new Set<(message: StreamMessage) => void>()

/** Calls back for each message of the stream, after the signals of this module have it; returns how to stop that. @public */
export function onMessage(listener: (message: StreamMessage) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What is told while the overview is asked for: the answer may be from before that. */
let toldMeanwhile: StreamMessage[] | undefined

const reload = coalesced(async () => {
  const told: StreamMessage[] = []
  toldMeanwhile = told
  try {
    const loaded = await answered(controlApi.GET('/_sim/overview'))
    batch(() => {
      overview.value = loaded
      apiKey.value = loaded.api_keys[0]
      toldClock.value = { ...loaded.clock, toldAt: performance.now() }
      for (const message of told) keep(message)
    })
  } finally {
    toldMeanwhile = undefined
  }
})

/** The newest of what was asked before the page was opened. They come by the stream from then on. */
const loadExchanges = coalesced(async () => {
  const page = await answered(
    controlApi.GET('/_sim/journal', { params: { query: { limit: 200, durations: true } } }),
  )
  batch(() => {
    addExchanges(page.exchanges)
    isJournalKnown.value = true
  })
})

/** All that the journal has, oldest first, as many as are kept here at most. */
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

/** In the order of their cursors, newest first, each once. */
function addExchanges(given: readonly ExchangeView[]): void {
  if (given.length === 0) return
  const before = exchanges.peek()
  const merged: ExchangeView[] = []
  let next = 0
  // What is known is in order already: to sort ten thousand anew for each that comes would be felt.
  for (const one of [...given].sort((a, b) => b.cursor - a.cursor)) {
    while (next < before.length && before[next]!.cursor >= one.cursor) merged.push(before[next++]!)
    if (merged.at(-1)?.cursor !== one.cursor) merged.push(one)
  }
  exchanges.value = [...merged, ...before.slice(next)].slice(0, keptEntries)
}

/** What came since the last frame: a busy simulator tells more than anybody can draw. */
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
    for (const message of messages) {
      keep(message)
      if (message.type === 'dropped') missed.value += message.data.count
    }
    toldMeanwhile?.push(...messages)
  })
  if (messages.some(changesMore)) reload()
  for (const message of messages) for (const listener of [...listeners]) listener(message)
}

/** What a message says by itself is taken from it. */
function keep({ type, data }: StreamMessage): void {
  const before = overview.peek()
  if (type === 'clock') toldClock.value = { ...data, toldAt: performance.now() }
  else if (type === 'block' && before)
    overview.value = {
      ...before,
      networks: before.networks.map((each) =>
        each.network === data.network ? { ...each, height: data.number, time: data.time } : each,
      ),
    }
  else if (type === 'fault' && data.change === 'fired' && before)
    overview.value = {
      ...before,
      faults: before.faults.map((each) => (each.id === data.fault.id ? data.fault : each)),
    }
}

function changesMore({ type, data }: StreamMessage): boolean {
  if (type === 'exchange') return data.method !== 'GET' && /\/(plan|prices)\//.test(data.url)
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

/** Follows what happens in the world that is looked at, until the signal is aborted. What is known of another one is forgotten. */
export function followWorld(signal: AbortSignal): void {
  connection.value = 'connecting'
  forget()
  const follower = {
    onOtherRun() {
      forget()
      restarts.value++
    },
    onGone() {
      connection.value = 'gone'
    },
    onOpen() {
      connection.value = 'live'
      reload()
      loadExchanges()
    },
    onMessage: take,
    onBreak() {
      connection.value = needsToken.peek() === 'no' ? 'broken' : 'connecting'
    },
  }
  void followStream(askControl, follower, signal)
}
