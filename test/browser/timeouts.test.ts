import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../kit/browser.js'
import { askControl } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Chromium repeats a POST that is answered 408 on a connection it has used before. A browser app must see each of its requests once. */

describe.skipIf(!hasBrowser)('a browser app', () => {
  let sim: SimulatorHandle
  let browser: Browser
  let app: Server

  beforeAll(async () => {
    sim = await createSimulator()
    browser = await launchBrowser()
    app = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<p>app'))
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser.close()
    app.close()
    await sim.close()
  })

  test('default: a plan that is answered 408 is sent once, however often its connections were used', async () => {
    const user = await openUser(sim)
    const match = { path: '*/plan/transfer' }
    await sim.faults.add({ on: 'request', effect: { respond: { error: 'timeout' } }, match })
    const { port } = app.address() as AddressInfo
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    const wanted = { base: sim.url, path: `${user.path}/plan/transfer`, key: sim.apiKey }
    const answers = await page.evaluate(async ({ base, path, key }) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const press = async () => {
        await fetch(`${base}/networks`, { headers })
        const answer = await fetch(base + path, { method: 'POST', headers, body: '{}' })
        return answer.status
      }
      return Promise.all([press(), press(), press()])
    }, wanted)
    expect(answers).toEqual([408, 408, 408])
    const { body } = await askControl(sim, 'GET', '/journal?limit=500')
    const posts = body.exchanges.filter(
      ({ method, url }: Record<string, string>) => method === 'POST' && url === wanted.path,
    )
    expect(posts).toHaveLength(3)
    await context.close()
  })
})
