import { mkdtemp } from 'node:fs/promises'
import { test } from 'vitest'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { createSimulator } from '../kit/simulator.js'
import { startUpstream } from '../kit/upstream.js'
import { begin } from '../lives/life.js'
test('repro', async () => {
  const upstream = await startUpstream('optimism')
  const bundle = (await mkdtemp('/tmp/lb-')) + '/bundle'
  await recordBundle({ fork: { optimism: { url: upstream.url } }, out: bundle, accounts: [], at: undefined, assumeEmpty: ['signers'], mayReplace: false, forkCache: 'none', say() {} } as never)
  const sim = await createSimulator({ clock: 'frozen', seed: 5n, rpcUnsafe: true, bundle, assumeEmpty: ['0x00000000000000000000000000000000000f41e7'] }, 400000)
  const life = await begin(sim)
  const { user } = life
  const show = async (what: string) => {
    const { body } = await user.api.get(`${user.path}/activities`)
    const a = body.activities.find((x: any) => x.activity_type === 'svc_operation_executed')
    console.log(what, a?.activity_status, JSON.stringify(a?.activity_metadata.map((m: any) => [m.action_type, m.chain_id, m.success, m.transaction_hash?.slice(0, 8), m.executed_at_block_number, m.revert_reason])))
    for (const on of ['optimism'] as const) console.log(on, await life.chain.request(on, 'eth_blockNumber'), await life.chain.balance(on, 'USDC', user.wallet), await life.chain.balance(on, 'WETH', user.wallet))
  }
  await show('begun')
  const p = await user.plan('swap', { network: 'optimism', sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000' }, 400000)
  console.log(p.status, p.body.message)
  if (p.status === 201) console.log((await user.execute(p.body)).status)
  await show('executed')
  await sim.faults.clear()
  await sim.clock.advance(0)
  await sim.clock.advance(0)
  await show('lifted')
  await life.chain.request('optimism', 'anvil_reorg', [3, []]).catch((e) => console.log(e.message))
  await show('replaced')
  await sim.clock.advance(0)
  await show('again')
  await sim.clock.advance(700)
  await show('later')
  await sim.close()
  await upstream.stop()
}, 400000)
