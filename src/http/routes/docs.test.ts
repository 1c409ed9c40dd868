import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { docsExamples } from '../../../test/kit/docsPage.js'
import { type HttpWorld, startHttpWorld } from '../../../test/kit/httpWorld.js'
import type { FaucetRequest } from '../../chain/funds/faucet.js'
import { ServiceError } from '../../lib/errors.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const open = { apiKey: null }

test('default', async () => {
  const json = (await world.client.get('/openapi.json', open)).body
  const yaml = (await world.client.get('/openapi.yaml', open)).body
  expect(Object.keys(json.paths)).toContain('/accounts/{account_id}/plan/earn')
  expect(parse(yaml)).toEqual(json)
  expect(parse(yaml, { version: '1.1' })).toEqual(json)
})

test('behavior: / names the paths a newcomer needs, and they exist', async () => {
  const { body } = await world.client.get('/', open)
  for (const path of Object.values<string>(body)) {
    const answer = await fetch(world.client.url + path)
    expect(answer.status).toBe(200)
    await answer.arrayBuffer() // Given up in the middle, a long one would break the connection under the next request.
  }
})

test('behavior: /docs is a page whose parts all come from here', async () => {
  const page = await fetch(`${world.client.url}/docs`)
  expect(page.url).toBe(`${world.client.url}/docs/`)
  const html = await page.text()
  const parts = [...html.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].map((match) => match[1]!)
  expect(parts.length).toBeGreaterThan(3)
  expect(html).not.toMatch(/(?:src|href)="https?:/)
  for (const part of parts) expect((await fetch(new URL(part, page.url))).status).toBe(200)
  const init = await (await fetch(`${page.url}swagger-ui-init.js`)).text()
  expect(init).toContain('"validatorUrl": null')
  expect(init).toContain('/accounts/{account_id}/plan/earn')
})

test('behavior: /docs/index.html is the same page; what the package has besides is not there', async () => {
  const read = async (path: string) => (await fetch(world.client.url + path)).text()
  expect(await read('/docs/index.html')).toBe(await read('/docs/'))
  const others = [
    'swagger-initializer.js',
    'package.json',
    'README.md',
    'oauth2-redirect.html',
    'x',
  ]
  for (const path of others) {
    const reply = await fetch(`${world.client.url}/docs/${path}`)
    expect(reply.status, path).toBe(404)
    expect(await reply.json()).toMatchObject({ error: 'not_found' })
  }
})

test('behavior: the control API has a document of its own', async () => {
  const { paths } = (await world.client.get('/_sim/openapi.json', open)).body
  expect(Object.keys(paths)).toContain('/_sim/fund')
  expect(Object.keys(paths).filter((path) => !/^\/_sim(\/|$)/.test(path))).toEqual(['/metrics'])
})

test('error: other methods on /docs', async () => {
  const reply = await fetch(`${world.client.url}/docs`, { method: 'POST' })
  expect(reply.status).toBe(405)
  expect(await reply.json()).toMatchObject({ error: 'method_not_allowed' })
})

test('behavior: the page of the control API is beside its document', async () => {
  const page = await fetch(`${world.client.url}/_sim/openapi`)
  expect(page.url).toBe(`${world.client.url}/_sim/openapi/`)
  expect(await page.text()).toContain('svc-sim control API')
  const init = await (await fetch(`${page.url}swagger-ui-init.js`)).text()
  expect(init).toContain('/_sim/faults')
  expect(init).not.toContain('authAction":')
})

test('behavior: /docs fills in the key, but not for a script that another page loads', async () => {
  const init = async (site?: string) => {
    const headers = { ...(site && { 'sec-fetch-site': site }) }
    const script = await fetch(`${world.client.url}/docs/swagger-ui-init.js`, { headers })
    expect(script.status).toBe(200)
    return script.text()
  }
  const [key] = world.deps.access.keys
  for (const site of [undefined, 'none', 'same-origin'])
    expect(await init(site)).toContain(key!.key)
  for (const site of ['cross-site', 'same-site']) expect(await init(site)).not.toContain(key!.key)
})

test('behavior: beyond loopback /docs names no key and creates no account', async () => {
  const bind = { host: '0.0.0.0', allowedHosts: [], corsOrigins: [], controlToken: 'token' }
  await using open = await startHttpWorld({ access: { bind } })
  const script = await fetch(`${open.client.url}/docs/swagger-ui-init.js`)
  expect(await script.text()).not.toContain(open.deps.access.keys[0]!.key)
  expect(await open.deps.service.store.allAccounts()).toEqual([])
})

const accountsShown = async ({ client }: HttpWorld, headers?: Record<string, string>) =>
  (await docsExamples(client.url, headers)).accounts

const accountIds = async ({ client }: HttpWorld): Promise<string[]> =>
  (await client.get('/accounts')).body.accounts.map(
    (each: { account_id: string }) => each.account_id,
  )

test('behavior: the first opening of /docs creates the account in its examples; the next shows it, then a newer one', async () => {
  await using fresh = await startHttpWorld()
  const twice = await Promise.all([accountsShown(fresh), accountsShown(fresh)])
  const [created, ...others] = await accountIds(fresh)
  expect(others).toEqual([])
  expect(twice).toEqual([[created], [created]])
  expect(await accountsShown(fresh)).toEqual([created])
  expect(await accountIds(fresh)).toEqual([created])
  const signer = { signer_type: 'eoa', signer_address: `0x${'12'.repeat(20)}` }
  const { body } = await fresh.client.post('/accounts', signer)
  expect(await accountsShown(fresh)).toEqual([body.account_id])
})

test('behavior: no account is created for a script that another page loads, a HEAD, the document or in a trace', async () => {
  await using fresh = await startHttpWorld()
  const [recorded, ...others] = await accountsShown(fresh, { 'sec-fetch-site': 'cross-site' })
  expect(others).toEqual([])
  await fetch(`${fresh.client.url}/docs/swagger-ui-init.js`, { method: 'HEAD' })
  await fresh.client.get('/openapi.json', open)
  expect(await accountIds(fresh)).toEqual([])
  const trace = { file: 'x.trace', madeBy: '1', endedAt: '', accountsLeftOut: 0, worldsLeftOut: 0 }
  await using ended = await startHttpWorld({ trace })
  expect(await accountsShown(ended)).toEqual([recorded])
  expect(await accountIds(ended)).toEqual([])
})

test('behavior: the account that the page creates is funded once', async () => {
  const gifts: object[] = []
  const fund = async (request: FaucetRequest) => {
    gifts.push(request)
    return { ...request, balance: request.amount }
  }
  await using fresh = await startHttpWorld({ control: { faucet: { fund } } })
  await Promise.all([accountsShown(fresh), accountsShown(fresh)])
  await accountsShown(fresh)
  const [{ svc_wallet_address: address }] = (await fresh.client.get('/accounts')).body.accounts
  expect(gifts).toEqual([
    { address, network: 'base', asset: 'USDC', amount: 10_000_000_000n },
    { address, network: 'base', asset: 'WETH', amount: 10n ** 19n },
  ])
})

test('error: a network that gives nothing leaves the account of the page without funds', async () => {
  const fund = async () => {
    throw new ServiceError('conflict', 'base mines no blocks; nothing was given')
  }
  await using fresh = await startHttpWorld({ control: { faucet: { fund } } })
  expect(await accountsShown(fresh)).toEqual(await accountIds(fresh))
  expect(fresh.errors).toEqual([])
})

test('error: when no account can be created, the page loads with the recorded examples; the next opening tries again', async () => {
  await using fresh = await startHttpWorld()
  const { store } = fresh.deps.service
  const { createAccount } = store
  const cause = new Error('no space left on the disk')
  store.createAccount = () => Promise.reject(cause)
  const { status, accounts, description } = await docsExamples(fresh.client.url)
  expect([status, accounts.length]).toEqual([200, 1])
  expect(description).not.toContain('reload the page')
  expect(fresh.errors).toMatchObject([{ message: '/docs shows the recorded examples', cause }])
  store.createAccount = createAccount
  expect(await accountsShown(fresh)).toEqual(await accountIds(fresh))
  expect(await accountIds(fresh)).not.toEqual(accounts)
})
