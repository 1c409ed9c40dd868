import { encodeFunctionData } from 'viem/utils'
import { actors } from '../chain/actors.js'
import type { AddressBook } from '../chain/addressBook.js'
import type { Faucet } from '../chain/faucet.js'
import { type NetworkName, networkOf } from '../chain/networks.js'
import type { Nodes, Receipt } from '../chain/node.js'
import { sendAs } from '../chain/send.js'
import type { Wait } from '../clock.js'
import { iSpokePoolAbi, tokenAbi } from '../generated/abis.js'
import { addressOf, type Deposit, depositKey, depositsIn, depositTopic } from './deposit.js'
import { watchLogs } from './watch.js'

/** What the relayer knows of a deposit: how it ended, or that it stopped waiting for it. */
export type Outcome = Settled | { status: 'interrupted' }

/** How a deposit ended. */
export type Settled =
  | { status: 'filled'; receipt: Receipt }
  /** Not filled, and why; the money is back or will be after the deadline. */
  | { status: 'failed'; reason: string }

/** Fills deposits of all five networks out of its own pocket, as Across's relayers do. */
export interface BridgeRelayer {
  /** How this deposit ended; waits until it has. */
  outcome(deposit: Deposit): Promise<Outcome>
  /** Stops watching, drops what is not due yet, and waits for fills that are under way. */
  close(): Promise<void>
}

/** What the relayer needs. `delayMs` is the time from a deposit to its fill. */
export interface RelayerParts {
  wait: Wait
  nodes: Nodes
  book: AddressBook
  faucet: Faucet
  delayMs: number
}

/** Outcomes that nobody has asked for yet are remembered up to this many. */
const rememberedOutcomes = 1_000

/** Starts watching the spoke pools. Whoever deposits is served: a plan's wallet or anybody else on the chains. */
export async function startBridgeRelayer(parts: RelayerParts): Promise<BridgeRelayer> {
  const outcomes = new Map<string, Promise<Outcome>>()
  const inTurn = turns()
  const stopping = new AbortController()

  /** Starts the fill when the deposit is first heard of, by its log or by the plan that made it. */
  const outcome = (deposit: Deposit): Promise<Outcome> => {
    const key = depositKey(deposit)
    const known = outcomes.get(key)
    if (known) return known
    const started = serve(parts, deposit, stopping.signal, inTurn)
    outcomes.set(key, started)
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= rememberedOutcomes) break
      outcomes.delete(oldest)
    }
    return started
  }

  const stops = await Promise.all(
    parts.nodes.all().map((node) =>
      watchLogs(
        node,
        { address: parts.book.on(node.network).spokePool, topic: depositTopic },
        (log) => {
          for (const deposit of depositsIn([log], node.network, parts.book)) void outcome(deposit)
        },
      ),
    ),
  )
  return {
    outcome,
    async close() {
      for (const stop of stops) stop()
      stopping.abort()
      await Promise.all(outcomes.values())
    },
  }
}

/** Runs work one at a time per network: two fills at once would overwrite each other's allowance. */
function turns() {
  const last = new Map<NetworkName, Promise<unknown>>()
  return <T>(network: NetworkName, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(network) ?? Promise.resolve()).then(work)
    last.set(
      network,
      result.catch(() => {}),
    )
    return result
  }
}

async function serve(
  parts: RelayerParts,
  deposit: Deposit,
  stop: AbortSignal,
  inTurn: ReturnType<typeof turns>,
): Promise<Outcome> {
  const due = await parts.wait(parts.delayMs, stop)
  if (!due) return { status: 'interrupted' }
  try {
    return { status: 'filled', receipt: await inTurn(deposit.to, () => fill(parts, deposit)) }
  } catch (error) {
    return { status: 'failed', reason: `the fill failed: ${(error as Error).message}` }
  }
}

/** Gets the output from the faucet and passes it on through the destination's spoke pool. */
async function fill({ nodes, book, faucet }: RelayerParts, deposit: Deposit): Promise<Receipt> {
  const { relayData, to } = deposit
  const { tokens, spokePool } = book.on(to)
  const address = addressOf(relayData.outputToken)
  const token = tokens.find((candidate) => candidate.address === address)
  if (!token) throw new Error(`${address} is no asset of ${to}`)
  const amount = relayData.outputAmount
  const from = actors.relayer
  await faucet.fund({ address: from, asset: token.symbol, amount, network: to })
  const node = nodes.get(to)
  await sendAs(node, {
    from,
    to: token.address,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spokePool, amount] }),
  })
  return sendAs(node, {
    from,
    to: spokePool,
    data: encodeFunctionData({
      abi: iSpokePoolAbi,
      functionName: 'fillRelay',
      args: [relayData, BigInt(networkOf(to).chainId), relayData.depositor],
    }),
  })
}
