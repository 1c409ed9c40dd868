import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli, startBareAnvil, startSimulator } from './processes.mjs'
import { timed } from './stats.mjs'

const networks = ['mainnet', 'base', 'arbitrum', 'optimism', 'polygon']
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/**
 * Records all five networks, each from a bare anvil, with one account; then starts from that and offline, in turn. Its size in bytes, and the
 * times in milliseconds.
 */
export async function measureBundles({ starts }) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-bench-'))
  try {
    const bundle = join(folder, 'bundle')
    const recording = await timed(() => record(bundle))
    const samples = { recorded: [], offline: [] }
    for (let i = -1; i < starts; i++) {
      const recorded = await timeToReady('--bundle', bundle)
      const offline = await timeToReady()
      if (i < 0) continue // The first pair warms the disk cache.
      samples.recorded.push(recorded)
      samples.offline.push(offline)
    }
    return { recording, bytes: statSync(join(bundle, 'networks.bundle')).size, samples }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function record(out) {
  const bare = await Promise.all(networks.map(startBareAnvil))
  try {
    const forks = bare.flatMap(({ url }, i) => ['--fork', `${networks[i]}=${url}`])
    const args = ['bundle', 'create', '--out', out, '--account', account, '--fork-cache', 'none']
    execFileSync(process.execPath, [cli, ...args, ...forks], { stdio: 'ignore' })
  } finally {
    await Promise.all(bare.map(({ stop }) => stop()))
  }
}

async function timeToReady(...flags) {
  let running
  const ms = await timed(async () => {
    running = await startSimulator(...flags)
  })
  await running.stop()
  return ms
}
