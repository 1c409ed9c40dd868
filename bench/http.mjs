import { Agent, request } from 'node:http'

/** One client for everything that is measured, so that ratios compare servers and not clients. */
const agent = new Agent({ keepAlive: true, noDelay: true })

/** Sends JSON and reads JSON. */
export function send(method, url, body, headers = {}) {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const req = request(
      url,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      },
      (res) => {
        const chunks = []
        res.on('data', (chunk) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const hint = res.headers['x-svc-sim-hint']
          resolve({
            status: res.statusCode,
            hint,
            body: text === '' ? undefined : JSON.parse(text),
          })
        })
      },
    )
    req.on('error', reject)
    req.end(payload)
  })
}

/** One JSON-RPC request; throws what the node refuses. */
export async function rpc(url, method, params = []) {
  const { body } = await send('POST', url, { jsonrpc: '2.0', id: 1, method, params })
  if (body.error) throw new Error(`${method}: ${body.error.message}`)
  return body.result
}

/** Ends kept-alive connections, so that the process can end. */
export function closeConnections() {
  agent.destroy()
}
