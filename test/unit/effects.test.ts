import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { effects, lastingOf } from '../../src/faults/effects/index.js'
import type { CallEffect } from '../../src/faults/rules/effect.js'
import { seamOf } from '../../src/faults/rules/rules.js'

test('behavior: every effect has a summary that says what happens, and a name of its own at its seam', () => {
  const names = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { summary } of effects) expect(summary).toMatch(/^[A-Z0-9].{30,}\.$/)
})

test('behavior: each seam is called in the file that Seams names, and nowhere else', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))
  const text = (path: string): string => readFileSync(`${src}${path}`, 'utf8')
  const [, table = ''] =
    /interface Seams \{([\s\S]*?)\n\}/.exec(text('faults/rules/effect.ts')) ?? []
  const named = [...table.matchAll(/\/\*\* (\S+) \*\/\n {2}'?([\w.]+)'?:/g)].map(
    ([, path, seam]) => `${seam} in ${path}`,
  )
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const calls = files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...text(path).matchAll(/\bintercept\(\s*'([\w.]+)'/g)].map(
        ([, seam]) => `${seam} in ${path}`,
      ),
    )
  expect(named).toHaveLength(12)
  expect([...new Set(calls)].sort()).toEqual(named.sort())
})

const nameOf = (effect: (typeof effects)[number]) => `${seamOf(effect)}.${effect.name}`

test('behavior: what an effect leaves until its rule is removed is part of its definition', () => {
  const lasting = effects.flatMap(({ lasts, ...effect }) =>
    lasts ? [`${nameOf({ lasts, ...effect })} ${lasts}`] : [],
  )
  expect(lasting).toEqual([
    ...['request.latency holds', 'request.hang holds', 'request.crash holds'],
    ...['folio.latency holds', 'folio.timeout holds', 'quote.timeout holds'],
    ...['quote.slippage changes', 'quote.drain changes'],
    ...['execute.stuck holds', 'execute.dropped holds', 'bridge.delay holds', 'bridge.stuck holds'],
    ...['chain.down holds', 'chain.slow holds', 'chain.halt holds'],
    ...['events.delay holds', 'events.reorder holds'],
  ])
  expect(lastingOf('plan.stale by nonce')).toBe(undefined)
  expect(lastingOf('quote.drain by rule')).toBe('changes')
})

const untilGone = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Effects that need no chain. */
const alone = effects.filter((each) =>
  ['request', 'folio', 'quote', 'events', 'bridge'].includes(each.on),
)

test.each(
  alone
    .filter(({ lasts }) => lasts !== 'changes')
    .map((effect) => [nameOf(effect), effect as unknown as CallEffect] as const),
)(
  'behavior: %s holds its call until the rule is removed, if its definition says so',
  async (_, effect) => {
    const removal = new AbortController()
    const never = new AbortController().signal
    const { data: settings } = [{}, { seconds: 5 }, { ms: 5 }, { error: 'timeout' }]
      .toReversed()
      .map((each) => effect.settings.safeParse(each))
      .find(({ success }) => success)!
    const call = {
      ...{ facts: {}, signal: never, key: 'one', outputAmount: 1n, event: {} },
      ...{ cut() {}, truncate() {}, header() {}, afterNext() {}, holds: [], sinceMs: 0 },
      refund: (_reason: string, { signal }: { signal?: AbortSignal }) =>
        (signal ? untilGone(signal) : Promise.resolve()).then(() => ({ status: 'interrupted' })),
    }
    const tools = {
      rule: {
        id: 'mean',
        match: {},
        signal: removal.signal,
        remembered: <T>(_: string, of: () => T) => of(),
      },
      wait: (_ms: number, signal: AbortSignal) => untilGone(signal).then(() => false),
      clock: { now: () => 0 },
      fired() {},
    }
    let isOver = false
    const applied = effect.apply(
      settings,
      call as never,
      async () => ({ status: 200, body: {} }),
      tools as never,
    )
    const end = (): void => {
      isOver = true
    }
    const ended = Promise.resolve(applied).then(end, end)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(effect.lasts !== 'holds')
    removal.abort()
    await ended
  },
)
