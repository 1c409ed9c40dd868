import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const page = readFileSync(
  fileURLToPath(new URL('../../docs/guides/access.md', import.meta.url)),
  'utf8',
)
const shown = (file: string): string =>
  new RegExp(`^\`\`\`\\w+ file=${file}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!

/** Runs the recipe of docs/guides/access.md as it is there, with a certificate for `name` in the file `certificate`. */
export async function startTlsProxy(simulatorUrl: string, name = 'sim.lan') {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-tls-'))
  await writeFile(join(folder, 'tls.mjs'), shown('tls.mjs'))
  const [makeCertificate, startProxy, ...more] = shown('tls.sh').trim().split('\n')
  if (startProxy !== 'node tls.mjs' || more.length > 0)
    throw new Error(`the recipe has other commands: ${shown('tls.sh')}`)
  const command = makeCertificate!.replaceAll('sim.lan', name)
  await promisify(execFile)('sh', ['-c', command], { cwd: folder })
  const env = { ...process.env, TLS_PORT: '0', SVC_PORT: new URL(simulatorUrl).port }
  const proxy = spawn(process.execPath, ['tls.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(proxy.stdout!, 'data')) as [Buffer]
  return {
    port: Number(/listening on (\d+)/.exec(said.toString())![1]),
    certificate: join(folder, 'cert.pem'),
    async [Symbol.asyncDispose]() {
      proxy.kill()
      await once(proxy, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
