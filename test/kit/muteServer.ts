import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An endpoint that takes requests and never answers; whoever is started against it does not become ready. It ends with the test. */
export async function startMuteServer(): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const asked = once(server, 'request')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
