import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { example } from '../../test/kit/examples.js'
import { keys, startHttpWorld } from '../../test/kit/httpWorld.js'
import { createApp } from './app.js'

test('default: the app is mounted in an app of somebody else, which has parsed bodies already', async () => {
  await using world = await startHttpWorld()
  const theirs = express()
  theirs.use(express.json())
  theirs.get('/networks', (_req, res) => void res.json({ theirs: true }))
  theirs.use('/sim', createApp(world.deps))
  const server = createServer(theirs).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const headers = {
    authorization: `Bearer ${keys.first.key}`,
    'content-type': 'application/json',
  }
  const ask = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(`${url}${path}`, { headers, ...init })).json()) as Record<string, unknown>
  const signer = { signer_type: 'eoa', signer_address: example.signer }
  try {
    expect(await ask('/networks')).toEqual({ theirs: true })
    expect((await ask('/sim/networks')).networks).toHaveLength(5)
    const id = (await ask('/sim/accounts', { method: 'POST', body: JSON.stringify(signer) }))
      .account_id
    expect(await ask(`/sim/accounts/${id}/folio`)).toHaveProperty('folio')
    expect(await ask('/sim/nope')).toMatchObject({ message: 'There is no route GET /nope' })
    expect(await ask('/sim/rpc/base', { method: 'POST', body: '{}' })).toEqual({ network: 'base' })
    const page = await fetch(`${url}/sim/_sim/docs`, { redirect: 'manual' })
    expect(page.headers.get('location')).toBe('docs/')
    // The journal has the app's own paths, and the bodies.
    const { exchanges } = await ask('/sim/_sim/journal')
    expect(exchanges).toMatchObject([
      { method: 'GET', url: '/networks' },
      { method: 'POST', url: '/accounts', body: signer },
      { method: 'GET', url: `/accounts/${id}/folio` },
      { method: 'GET', url: '/nope' },
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
