import { z } from 'zod'
import { mineAgain } from '../../chain/transactions/mining.js'
import { inTurn } from '../../chain/transactions/send.js'
import { ServiceError } from '../../lib/errors.js'
import { note } from '../../service/context/requestContext.js'
import { whileMoving } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import { defineEffect, definePersistentEffect, type Effect } from '../rules/effect.js'
import { createHolds, endAfter, holdAll } from '../rules/holds.js'
import { stopped } from '../rules/stoppedNodes.js'
import { maxDepth, replaceBlocks } from './replaceBlocks.js'
import { msField, standingSettings } from './settings.js'

/** Holds the mining of blocks. */
export const noBlocks = createHolds(async ({ rpc }) => {
  await rpc.request('evm_setAutomine', [false])
}, mineAgain)

/** Faults of the nodes and their networks. */
export const chainEffects: readonly Effect[] = [
  /**
   * The node takes connections and answers them when the rule goes. The simulator lets it go on before it stops; when the simulator
   * dies, the watchdog kills it.
   */
  definePersistentEffect({
    on: 'chain.stand',
    name: 'down',
    summary:
      'The nodes of the network (or of all) do not respond. Reads return 408 `timeout` after the read timeout, an execution returns 500 `internal_error`, `/rpc` returns an error after 35 s, and `/health/ready` returns 503. This lasts until the rule is removed, or for `ms`; then everything continues. Not on Windows.',
    settings: standingSettings,
    asksNodes: false,
    async stand({ ms }, networks, { nodes }) {
      if (process.platform === 'win32')
        throw new ServiceError(
          'invalid_params',
          'chain.down stops a process with SIGSTOP, which Windows does not have; use chain.slow with a large ms',
        )
      const stoppedNodes = networks.map((network) => nodes.get(network))
      return endAfter(ms, await holdAll(stopped, stoppedNodes))
    },
  }),
  /**
   * Every request to the node takes longer. By the machine's time, not the clock's, since it is there to meet the timeouts of
   * service and client, which are the machine's too. WebSockets through `/rpc` are not slowed.
   */
  defineEffect({
    on: 'chain.request',
    name: 'slow',
    summary:
      'Each JSON-RPC request to the network (or any), by the service or through `/rpc`, takes `ms` milliseconds of real time longer. Beyond the read timeout, reads return 408 `timeout`.',
    settings: z.strictObject({ ms: msField }),
    async apply({ ms }, _, proceed, { rule }) {
      await whileMoving(realWait(ms, rule.signal))
      return proceed()
    },
  }),
  /**
   * The chain forks below the plan's transaction after its activity was confirmed, and another branch wins. The blocks are
   * really replaced: hashes that a client has seen are gone. Everything else in them is mined again in the new ones.
   *
   * Without `keep` the transaction itself falls out; one of the same nonce that does nothing takes its place, as when a relayer
   * has replaced it. The relayer notices, the activity is pending again, and the operations are sent once more. With `keep` it
   * is mined again too: same hash, another block.
   */
  defineEffect({
    on: 'chain.confirmed',
    name: 'reorg',
    summary: `After the activity is confirmed, the last \`depth\` blocks of its network are replaced: 1 to ${maxDepth}, at least back to the plan’s transaction, at most to the last snapshot or native funds from the faucet. The transaction is dropped: the activity returns to pending, and is sent and confirmed again. With \`keep\`, the transaction is mined again in a block with another hash, and the activity stays confirmed.`,
    settings: z.strictObject({
      depth: z.int().min(1).max(maxDepth).default(1),
      keep: z.boolean().default(false),
    }),
    outcome: () => ({
      text: 'replaced the blocks after the activity was confirmed',
      ends: ['replaced by a reorganisation', 'reverted', 'not mined', 'pending'],
    }),
    async apply({ depth, keep }, call, proceed, { nodes, recheck, rule, ledger }) {
      const node = nodes.get(call.network)
      const replaced = await inTurn(node, () => replaceBlocks(node, call.hash, { depth, keep }))
      const hasFallen = replaced.length > 0 && !keep
      const fallen = hasFallen ? { fallen: call.hash } : {}
      note({ type: 'fault', rule: rule.id, network: call.network, replaced, ...fallen })
      const { network } = call
      const what = {
        by: 'reorganisation',
        network,
        replaced: replaced.length,
        rule: rule.id,
      } as const
      if (replaced.length > 0) ledger.add(what, [{ of: 'state', network }])
      if (replaced.length > 0) await recheck(call.network)
      return proceed()
    },
  }),
  definePersistentEffect({
    on: 'chain.stand',
    name: 'halt',
    summary:
      'The network (or all) mines no blocks: transactions wait in the pool, activities stay pending, and reads still work. This lasts until the rule is removed, or for `ms`; then all waiting transactions are mined.',
    settings: standingSettings,
    asksNodes: true,
    async stand({ ms }, networks, { nodes }) {
      const halted = networks.map((network) => nodes.get(network))
      return endAfter(ms, await holdAll(noBlocks, halted))
    },
  }),
]
