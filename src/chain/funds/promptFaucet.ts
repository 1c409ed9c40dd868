import pTimeout, { TimeoutError } from 'p-timeout'
import type { AddressBook } from '../../deployments/addressBook.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node, Nodes } from '../rpc/node.js'
import { expectMining, mineAgainHint } from '../transactions/mining.js'
import { StoppedError } from '../transactions/pool.js'
import type { Faucet, FaucetGift, FaucetRequest } from './faucet.js'

/** Milliseconds of the machine: less than a restore waits for those inside, so that the faucet keeps none out. */
const faucetPatienceMs = 5_000

/** How long the end of what was given up is waited for. */
const stopWithinMs = 1_000

/**
 * A faucet for callers who wait for the answer: where the network mines no blocks or its node does not answer, it rejects with
 * `conflict` and the reason within `patienceMs`, and nothing is given later either.
 */
export function promptFaucet(
  faucet: Faucet,
  { nodes, book }: { nodes: Pick<Nodes, 'get'>; book: AddressBook },
  patienceMs = faucetPatienceMs,
): Faucet {
  return {
    async fund(request) {
      const node = nodes.get(request.network)
      const stop = new AbortController()
      const needsBlock = book.token(request.network, request.asset)?.native === false
      const giving = give(faucet, node, { ...request, signal: stop.signal }, needsBlock)
      const giveUp = () => {
        stop.abort()
        // It may have been mined at the last moment, and then it counts.
        return pTimeout(giving, { milliseconds: stopWithinMs }).catch(async (error) => {
          if (error instanceof TimeoutError || error instanceof StoppedError)
            throw refuse(node, `${await stateOf(node)} within ${patienceMs / 1_000} s`)
          throw error
        })
      }
      return pTimeout(giving, { milliseconds: patienceMs, fallback: giveUp })
    },
  }
}

async function give(
  faucet: Faucet,
  node: Node,
  request: FaucetRequest & { signal: AbortSignal },
  needsBlock: boolean,
): Promise<FaucetGift> {
  if (needsBlock) await expectMining([node], 'nothing was given')
  if (request.signal.aborted) throw new StoppedError()
  return faucet.fund(request)
}

/** What keeps a node from giving. */
async function stateOf(node: Node): Promise<string> {
  const asked = node.rpc.request('eth_chainId').then(
    () => 'did not mine the transaction',
    () => 'did not answer',
  )
  return pTimeout(asked, { milliseconds: stopWithinMs, fallback: () => 'did not answer' })
}

function refuse(node: Node, what: string): ServiceError {
  const message = `The ${node.network} network ${what}; nothing was given`
  return new ServiceError('conflict', message, { hint: mineAgainHint })
}
