import { expect, test } from 'vitest'
import { createSvcClient } from './client.js'

test.each([
  ['ECONNREFUSED', 'POST', 'Is the service running?'],
  ['ECONNRESET', 'GET', 'Is the service running?'],
  ['ECONNRESET', 'POST', 'The service may have carried the request out: look before'],
])('error: %s at a %s: the message says what it means', async (code, method, says) => {
  const client = createSvcClient({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'key',
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code } })),
    patience: { attempts: 1 },
  })
  const call =
    method === 'GET' ? client.activity('act_1') : client.createAccount(`0x${'11'.repeat(20)}`)
  await expect(call).rejects.toMatchObject({
    status: 0,
    code: 'unreachable',
    message: expect.stringContaining(`(${code}). ${says}`),
  })
})
