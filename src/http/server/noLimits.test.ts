import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type HttpWorld, startHttpWorld } from '../../../test/kit/httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const many = 300

test('behavior: no rate limit: three hundred requests at once are all answered, and none is counted', async () => {
  const replies = await Promise.all(
    Array.from({ length: many }, () => world.client.get('/accounts')),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const headers = new Set(replies.flatMap((reply) => [...reply.headers.keys()]))
  expect([...headers].filter((name) => /limit|retry|quota/.test(name))).toEqual([])
})

test('behavior: no pages unless asked for by limit: a list is whole, however long', async () => {
  const ids: string[] = []
  for (let i = 1; i <= many; i++) {
    const { id } = await createAccount(world, `0x${i.toString(16).padStart(40, '0')}`)
    ids.push(id)
  }
  for (const query of ['', '?page=2&per_page=10', '?cursor=5']) {
    const { body, headers } = await world.client.get(`/accounts${query}`)
    expect(Object.keys(body)).toEqual(['accounts'])
    expect(body.accounts.map((each: { account_id: string }) => each.account_id)).toEqual(ids)
    expect(headers.has('link')).toBe(false)
  }
})

test('behavior: no versions: none is told, and one that is asked for changes nothing', async () => {
  const plain = await world.client.get('/networks')
  const names = [...plain.headers.keys()].filter((name) => /version|deprecat|sunset/.test(name))
  expect(names).toEqual([])
  for (const [name, value] of [
    ['api-version', '2099-01-01'],
    ['x-api-version', '7'],
    ['accept', 'application/vnd.svc.v9+json'],
  ] as const) {
    const asked = await world.client.get('/networks', { headers: { [name]: value } })
    expect([asked.status, asked.body]).toEqual([200, plain.body])
  }
  expect((await world.client.get('/v1/networks')).status).toBe(404)
})
