import { afterEach, expect, test, vi } from 'vitest'
import { asViewer, ownReads } from './ownReads.js'

afterEach(() => vi.unstubAllGlobals())

const marks: (string | null)[] = []
function answerWith(answer: () => Promise<Response>): void {
  marks.length = 0
  vi.stubGlobal('fetch', (request: Request) => {
    marks.push(request.headers.get('x-svc-sim-viewer'))
    return answer()
  })
}

test('default: the last 200 reads are kept, newest first, each marked', async () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
  answerWith(async () => new Response('{}', { headers: { date } }))
  for (let i = 0; i <= 200; i++) await asViewer(new Request(`http://a/_sim/clock?n=${i}`))
  expect(ownReads.value).toHaveLength(200)
  const answer = { status: 200, cut: false }
  expect(ownReads.value[0]).toMatchObject({ at: date, url: '/_sim/clock?n=200', answer })
  expect(ownReads.value.at(-1)).toMatchObject({ url: '/_sim/clock?n=1' })
  expect(new Set(marks)).toEqual(new Set(['dashboard']))
})

test('behavior: what a person does is marked as a click, and not kept', async () => {
  answerWith(async () => new Response('{}'))
  const before = ownReads.value
  await asViewer(new Request('http://a/accounts', { method: 'POST', body: '{}' }))
  expect(ownReads.value).toBe(before)
  expect(marks).toEqual(['click'])
})

test('error: a read without a response is kept as one, and rejects as before', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(asViewer(new Request('http://a/markets'))).rejects.toThrow('Failed to fetch')
  expect(ownReads.value[0]).toMatchObject({ at: null, url: '/markets', answer: null })
})
