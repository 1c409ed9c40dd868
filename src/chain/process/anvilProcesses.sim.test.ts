import { expect, test } from 'vitest'
import { rpc } from '../../../test/kit/http.js'
import { lendChains } from '../../../test/kit/simulator.js'
import { networks } from '../../deployments/networks.js'
import { createSimulatorOn } from '../../simulator/createSimulatorOn.js'
import type { Chains } from '../chains.js'

test('default: the five nodes of a running simulator are in the pool', async () => {
  let chains: Chains | undefined
  const sim = await createSimulatorOn({ clock: 'frozen' }, async (options) => {
    chains = await lendChains(options)
    return chains
  })
  try {
    const { pool, all } = chains!.nodes
    expect(pool.size).toBe(5)
    expect(all().map(({ network }) => pool.get(network)?.status)).toEqual(
      networks.map(() => 'started'),
    )
    for (const { name, chainId } of networks)
      expect(Number(await rpc(sim.rpc(name), 'eth_chainId'))).toBe(chainId)
  } finally {
    await sim.close()
  }
})
