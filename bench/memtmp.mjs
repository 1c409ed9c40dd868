import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'
import { startClients } from './loadClients.mjs'

if (process.argv[2] === 'clients') {
  const sim = { url: process.argv[3], apiKey: process.argv[4] }
  const stop = new AbortController()
  const { counts, done } = await startClients(sim, { plain: 30, bridging: 5, pace: 0 }, stop.signal)
  let said = 0
  for (;;) {
    await new Promise((r) => setTimeout(r, 100))
    if (counts.executions >= said + 1000) {
      said += 1000
      console.log(said)
      process.stdin.resume()
    }
    if (said >= Number(process.argv[5])) break
  }
  console.log('failures', counts.failures.length, counts.failures[0])
  process.exit()
} else {
  const { createSimulator } = await import('../dist/index.js')
  const sim = await createSimulator({ port: 0 })
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), 'clients', sim.url, sim.apiKey, process.argv[2] ?? '6000'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  child.stdout.on('data', (d) => {
    globalThis.gc()
    globalThis.gc()
    const m = process.memoryUsage()
    const mb = (x) => (x / 1e6).toFixed(1)
    console.log(
      String(d).trim(),
      'heapUsed',
      mb(m.heapUsed),
      'heapTotal',
      mb(m.heapTotal),
      'ext',
      mb(m.external),
      'ab',
      mb(m.arrayBuffers),
      'rss',
      mb(m.rss),
    )
    if (String(d).includes(process.argv[3] ?? 'none'))
      v8.writeHeapSnapshot('/tmp/heap.' + String(d).trim().split('\n')[0] + '.heapsnapshot')
  })
  child.on('exit', async () => {
    await sim.close()
    process.exit()
  })
}
