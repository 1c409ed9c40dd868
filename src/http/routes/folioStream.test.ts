import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createAccount, emptyFolio, keys, startHttpWorld } from '../../../test/kit/httpWorld.js'
import { createStore } from '../../service/store/createStore.js'
import type { Store } from '../../service/store/store.js'
import { createClock } from '../../time/clock.js'

/** More than the machine takes for a connection that nobody reads. */
const long = 'x'.repeat(24 * 1024 * 1024)

test('behavior: for a reader who does not read, the folio is not read again; afterwards all that changed is one update', async () => {
  const store = createStore({})
  let happen = (): void => {}
  const onEvent: Store['onEvent'] = (_accountId, listener) => {
    happen = () => listener(undefined as never)
    return () => {}
  }
  let reads = 0
  let price = 0
  await using world = await startHttpWorld({
    service: {
      store: Object.assign(Object.create(store) as Store, { onEvent }),
      folio: {
        async read() {
          reads++
          return { ...emptyFolio(), prices: { long, 'token/USDC': `${price}` } }
        },
      },
    },
  })
  const { id } = await createAccount(world)
  const request = get(new URL(`/accounts/${id}/folio/stream`, world.client.url), {
    headers: { authorization: `Bearer ${keys.first.key}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  for (price = 1; price < 20; price++) {
    happen()
    await world.client.get('/networks')
  }
  expect(reads).toBe(1)

  const answer = text(response)
  while (reads < 2) await world.client.get('/networks')
  price++
  happen()
  while (reads < 3) await world.client.get('/networks')
  world.stop()
  const messages = (await answer).replace(long, '').trim().split('\n\n')
  expect(messages).toEqual([
    'event: snapshot\ndata: [["prices/long",""],["prices/token/USDC","0"]]',
    'event: update\ndata: [["prices/token/USDC","20"]]',
    'event: update\ndata: [["prices/token/USDC","21"]]',
  ])
})

test('behavior: a reader who does not read is let go when it leaves, and at the end', async () => {
  let left: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const store = createStore({})
  const onEvent: Store['onEvent'] = () => left
  await using world = await startHttpWorld({
    service: {
      store: Object.assign(Object.create(store) as Store, { onEvent }),
      folio: { read: async () => ({ ...emptyFolio(), prices: { long } }) },
    },
  })
  const { id } = await createAccount(world)
  const open = async (): Promise<IncomingMessage> => {
    const request = get(new URL(`/accounts/${id}/folio/stream`, world.client.url), {
      headers: { authorization: `Bearer ${keys.first.key}` },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response.on('error', () => {})
  }
  const first = await open()
  first.destroy()
  await gone
  const goneAgain = new Promise<void>((resolve) => {
    left = resolve
  })
  const second = await open()
  world.stop()
  await goneAgain
  second.destroy()
})

test('behavior: with a frozen clock a stream says that it is alive', async () => {
  await using world = await startHttpWorld({
    service: { folioKeepaliveMs: 2, folio: { read: async () => emptyFolio() } },
    timing: { clock: createClock({ mode: 'frozen', atMs: 1767603600_000 }) },
  })
  const { id } = await createAccount(world)
  const request = get(new URL(`/accounts/${id}/folio/stream`, world.client.url), {
    headers: { authorization: `Bearer ${keys.first.key}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let seen = ''
  for await (const chunk of response) {
    seen += chunk
    if (seen.split(': keepalive\n\n').length > 3) break
  }
  // Nothing has changed, so nothing else is said.
  expect(seen.replaceAll(': keepalive\n\n', '')).toBe('event: snapshot\ndata: []\n\n')
})
