import { Agent, get } from 'node:http'
import { expect, test } from 'vitest'
import type { Nodes } from '../../chain/rpc/node.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { startAggregator } from '../../service/aggregator/server.js'
import type { FaultSeams } from '../engine/seams.js'
import { quoteFaults } from './calls.js'

const book = loadAddressBook()
const noNodes: Nodes = {
  get: () => {
    throw new Error('no node is asked')
  },
  all: () => [],
  stop: async () => {},
}

/** There are rules, and none of them fires. */
const quietRules: FaultSeams = {
  hasRules: true,
  intercept: (_seam, _call, proceed) => proceed(),
}

test('behavior: quotes over one kept connection leave no listeners on it', async () => {
  const quoting = quoteFaults(quietRules, book)
  const listening: number[] = []
  const aggregator = await startAggregator({
    clock: { now: () => 0 },
    nodes: noNodes,
    book,
    intercept(asked, proceed) {
      listening.push(asked.req.socket.listenerCount('close'))
      return quoting.intercept(asked, proceed)
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise((resolve, reject) =>
      get(`${aggregator.url}/quote`, { agent }, (response) =>
        response.resume().on('end', resolve),
      ).on('error', reject),
    )
  for (let asked = 0; asked < 5; asked++) await ask()
  agent.destroy()
  await aggregator.close()
  expect(listening).toEqual(Array(5).fill(listening[0]))
})
