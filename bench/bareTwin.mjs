import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { rpc } from './http.mjs'
import { startAnvil } from './processes.mjs'
import { percentile } from './stats.mjs'

const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const sender = '0x000000000000000000000000000000000010ad01'
/** Until both hold as many states of past blocks as they keep. */
const warmup = 40
const to = '0x000000000000000000000000000000000010ad02'

/**
 * What a transaction costs the node of the simulator, and what it costs a bare anvil that was started with the same flags
 * from the same accounts and slots, and nothing else. Processor time and time until the receipt, in milliseconds.
 */
export async function compareWithTwin({ url, pid, flags }, sends) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-twin-'))
  const file = join(folder, 'state.json')
  const dump = await rpc(url, 'anvil_dumpState')
  const { slots, state } = slimmed(dump)
  writeFileSync(file, JSON.stringify(state))
  const twin = await startAnvil(['--load-state', file, ...flags])
  try {
    const sides = [
      { name: 'node', url, pid, times: [] },
      { name: 'twin', url: twin.url, pid: twin.pid, times: [] },
    ]
    for (const each of sides) await prepare(each)
    for (let i = 0; i < sends; i++)
      for (const each of sides) {
        if (i === warmup) each.before = processorTime(each.pid)
        const begun = performance.now()
        await transfer(each.url)
        if (i >= warmup) each.times.push(performance.now() - begun)
      }
    for (const each of sides) each.cpu = (processorTime(each.pid) - each.before) / each.times.length
    const [node, bare] = sides.map(({ cpu, times }) => ({ cpu, p50: percentile(times, 0.5) }))
    return { slots, node, bare }
  } finally {
    await twin.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The accounts as they are, and of the chain only its head. */
function slimmed(dump) {
  const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString())
  const best = BigInt(state.best_block_number)
  const blocks = state.blocks.filter(({ header }) => BigInt(header.number) === best)
  const slots = Object.values(state.accounts).reduce(
    (sum, { storage }) => sum + Object.keys(storage).length,
    0,
  )
  return { slots, state: { ...state, blocks, transactions: [], historical_states: null } }
}

async function prepare({ url }) {
  await rpc(url, 'anvil_setBalance', [sender, '0x3635c9adc5dea00000000'])
  await rpc(url, 'anvil_impersonateAccount', [sender])
  await rpc(url, 'anvil_dealERC20', [sender, usdc, '0xffffffff'])
}

function transfer(url) {
  const data = `0xa9059cbb${to.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  return rpc(url, 'eth_sendTransactionSync', [{ from: sender, to: usdc, data, gas: '0x30d40' }])
}

/** What a process has used of the processors, in milliseconds (Linux: read from /proc, which counts hundredths of a second). */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
