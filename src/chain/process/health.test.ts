import { expect, test } from 'vitest'
import { networkNames } from '../../deployments/networks.js'
import type { Node, Nodes } from '../rpc/node.js'
import { createLifecycle } from '../rpc/nodeLifecycle.js'
import { notReadyYet, readiness, readinessSchema } from './health.js'

/** Nodes that all answer this chain id; undefined leaves each its own. */
function nodesAnswering(chainIds: Partial<Record<string, string>>): Nodes {
  const get = (network: string) =>
    ({
      network,
      lifecycle: createLifecycle(0),
      rpc: {
        request: async () => {
          const chainId = chainIds[network]
          if (chainId === undefined) throw new Error('nobody is there')
          return chainId
        },
      },
    }) as unknown as Node
  return { get, all: () => networkNames.map(get), stop: async () => {} }
}

const rightIds = {
  mainnet: '0x1',
  base: '0x2105',
  arbitrum: '0xa4b1',
  optimism: '0xa',
  polygon: '0x89',
}

test('default: ready when every node answers with its chain id', async () => {
  const forks = new Map([
    [
      'base' as const,
      { host: 'rpc.example', block: 7, leftOut: [{ name: 'COMP', why: 'no code' }] },
    ],
  ])
  const answer = await readiness(nodesAnswering(rightIds), forks)
  expect(readinessSchema.parse(answer)).toEqual(answer)
  expect(answer.status).toBe('ready')
  expect(Object.keys(answer.networks)).toEqual(networkNames)
  expect(answer.networks.base).toEqual({
    chain_id: 8453,
    ready: true,
    fork: { host: 'rpc.example', block: 7, left_out: ['COMP: no code'] },
  })
})

test('error: not ready when one answers another chain id, or nothing', async () => {
  const { polygon: _, ...others } = rightIds
  const answer = await readiness(nodesAnswering({ ...others, base: '0x1' }))
  expect(answer.status).toBe('not_ready')
  expect(answer.networks.base.error).toBe('answers chain id 0x1, expected 8453')
  expect(answer.networks.polygon.error).toBe('nobody is there')
  expect(answer.networks.mainnet).toEqual({ chain_id: 1, ready: true })
})

test('behavior: before the nodes are up it is the same answer, with no network ready', () => {
  const answer = notReadyYet()
  expect(readinessSchema.parse(answer)).toEqual(answer)
  expect(answer.status).toBe('not_ready')
})
