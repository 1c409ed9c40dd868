import pTimeout, { TimeoutError } from 'p-timeout'
import type { AddressBook } from '../../deployments/addressBook.js'
import { ServiceError } from '../../lib/errors.js'
import { realWait } from '../../time/clock.js'
import type { Node, Nodes } from '../rpc/node.js'
import { expectMining, mineAgainHint } from '../transactions/mining.js'
import { StoppedError } from '../transactions/pool.js'
import type { Faucet, FaucetGift, FaucetRequest } from './faucet.js'

/** How long a faucet waits. Milliseconds of the machine. */
interface FaucetPatience {
  /** For the gift: less than `patienceMs` of the system lock, so that the faucet blocks no restore. */
  giveMs: number
  /** For a gift to stop before it was sent. */
  stopMs: number
  /** For an answer of the node after it got the gift. */
  silentMs: number
  /** For the outcome of a sent gift. */
  settleMs: number
}

const faucetPatience: FaucetPatience = {
  giveMs: 5_000,
  stopMs: 1_000,
  silentMs: 4_500,
  settleMs: 25_000,
}

/**
 * A faucet with a time limit, for networks that mine no blocks and nodes that do not answer. Rejects with `conflict` and the reason when
 * nothing was given and never will be, and with `timeout` when the node does not report the outcome.
 */
export function promptFaucet(
  faucet: Faucet,
  { nodes, book }: { nodes: Pick<Nodes, 'get'>; book: AddressBook },
  patience = faucetPatience,
): Faucet {
  return {
    async fund(request) {
      const node = nodes.get(request.network)
      const stop = new AbortController()
      let isSent = false
      const onSent = (): void => {
        isSent = true
      }
      const needsBlock = book.token(request.network, request.asset)?.native === false
      const giving = give(faucet, node, { ...request, signal: stop.signal, onSent }, needsBlock)
      const giveUp = async (): Promise<FaucetGift> => {
        stop.abort()
        const ending = isSent
          ? whileAnswered(giving, node, patience)
          : pTimeout(giving, { milliseconds: patience.stopMs })
        return ending.catch(async (error) => {
          const isNotGiven = error instanceof TimeoutError || error instanceof StoppedError
          if (!isNotGiven) throw error
          throw notGiven(
            node,
            `${await stateOf(node, patience)} within ${patience.giveMs / 1_000} s`,
          )
        })
      }
      return pTimeout(giving, { milliseconds: patience.giveMs, fallback: giveUp })
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

/** Waits for a sent gift while the node answers, up to `settleMs`. */
async function whileAnswered(
  giving: Promise<FaucetGift>,
  node: Node,
  { silentMs, settleMs }: FaucetPatience,
): Promise<FaucetGift> {
  const settled = new AbortController()
  const silence = async (): Promise<never> => {
    const begun = performance.now()
    while (performance.now() - begun < settleMs) {
      const request = node.rpc.request('eth_chainId')
      await pTimeout(request, { milliseconds: silentMs })
      await realWait(silentMs / 10, settled.signal)
    }
    throw new Error('it is held up')
  }
  try {
    return await Promise.race([
      giving,
      silence().catch(() => {
        throw notKnown(node)
      }),
    ])
  } finally {
    settled.abort()
  }
}

/** Why the node gives nothing. */
async function stateOf(node: Node, { stopMs }: FaucetPatience): Promise<string> {
  const state = node.rpc.request('eth_chainId').then(
    () => 'did not mine the transaction',
    () => 'did not answer',
  )
  return pTimeout(state, { milliseconds: stopMs, fallback: () => 'did not answer' })
}

function notGiven(node: Node, what: string): ServiceError {
  const message = `The ${node.network} network ${what}; nothing was given`
  return new ServiceError('conflict', message, { hint: mineAgainHint })
}

function notKnown({ network }: Node): ServiceError {
  const message = `The ${network} node does not say what became of the gift; it may be given later`
  return new ServiceError('timeout', message, {
    hint: 'Look at the balance before you fund again. What holds the node up may be a fault rule of the seam chain.',
  })
}
