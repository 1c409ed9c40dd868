import { Agent, request } from 'node:http'

/** Asks so many times, `clients` at once, each again as soon as it has its answer. Resolves to answers a second. */
export async function load(url, { headers, requests, clients }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients, noDelay: true })
  const ask = () =>
    new Promise((resolve, reject) => {
      const req = request(url, { agent, headers }, (res) => {
        res.resume()
        res.on('end', () => {
          if (res.statusCode === 200) resolve()
          else reject(new Error(`${url}: ${res.statusCode}`))
        })
      })
      req.on('error', reject)
      req.end()
    })
  let left = requests
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) await ask()
    }),
  )
  agent.destroy()
  return (1000 * requests) / (performance.now() - started)
}
