import type { Address, Hex } from 'viem'
import { encodeFunctionData, pad, parseAbi } from 'viem/utils'
import { allow } from '../../chain/funds/allow.js'
import type { Faucet } from '../../chain/funds/faucet.js'
import type { Node, Nodes, Receipt } from '../../chain/rpc/node.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import { StoppedError } from '../../chain/transactions/pool.js'
import { sendAs } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { iSpokePoolAbi } from '../../generated/abis.js'
import { awaitBehind, currentTask, type Task, taskQueues } from '../../time/backgroundTasks.js'
import { addressOf, type Deposit, relayHash } from './deposit.js'

/** What the relayer is to have for a fill. `amount` in the asset's smallest unit. */
interface Funding {
  asset: string
  amount: bigint
  network: NetworkName
  /** When aborted, this fill takes nothing any more. */
  signal: AbortSignal
}

/** One gift for several fills, made by the task that asked first. */
interface Gift {
  fills: Funding[]
  task: Task | undefined
  /** Rejects with `StoppedError` when all its fills have stopped. */
  given: Promise<void>
}

/**
 * Gives the relayer what its fills pay out. Requests that come while an earlier gift is on its way are sent as one, because every transaction
 * delays the fills behind it. If that fails, each gets its own, so that no fill fails for another.
 */
export function createFunding(faucet: Faucet): (funding: Funding) => Promise<void> {
  const inTurn = taskQueues<string>()
  const gathering = new Map<string, Gift>()
  const give = async (fills: readonly Funding[]): Promise<void> => {
    const { asset, network } = fills[0]!
    const amount = fills.reduce((sum, fill) => sum + fill.amount, 0n)
    const signal = abortedWithAll(fills)
    await faucet.fund({ address: actors.relayer, asset, amount, network, signal })
  }
  const gather = (key: string): Gift => {
    const gift: Gift = { fills: [], task: currentTask(), given: Promise.resolve() }
    gathering.set(key, gift)
    gift.given = inTurn(key, () => {
      gathering.delete(key)
      return give(gift.fills)
    })
    return gift
  }
  return async (funding) => {
    const key = `${funding.network}/${funding.asset}`
    const gift = gathering.get(key) ?? gather(key)
    gift.fills.push(funding)
    try {
      await awaitBehind(() => gift.task, gift.given)
    } catch (error) {
      if (gift.fills.length === 1 || error instanceof StoppedError) throw error
      await inTurn(key, () => give([funding]))
    }
  }
}

/** Aborted once all of them are: a gift continues while one of its fills needs it. */
function abortedWithAll(fills: readonly Funding[]): AbortSignal {
  const gone = new AbortController()
  const onAbort = (): void => {
    if (fills.every(({ signal }) => signal.aborted)) gone.abort()
  }
  for (const { signal } of fills) signal.addEventListener('abort', onAbort, { once: true })
  onAbort()
  return gone.signal
}

export interface FillParts {
  nodes: Nodes
  book: AddressBook
  /** Gives the relayer what it pays out. */
  fund(funding: Funding): Promise<void>
  /** Networks whose spoke pool is the protocol's own. */
  forked?: { has(network: NetworkName): boolean }
}

/**
 * Gets the output and passes it on through the destination's spoke pool. `amount` is what arrives: the deposit's output amount, unless the
 * relayer is to cheat.
 *
 * @throws `StoppedError` when it was given up: a waiting transaction will not be mined.
 */
export async function fill(
  { nodes, book, fund, forked }: FillParts,
  deposit: Deposit,
  amount: bigint,
  signal: AbortSignal,
): Promise<Receipt> {
  const { to } = deposit
  const relayData = { ...deposit.relayData, outputAmount: amount }
  const { tokens, spokePool } = book.on(to)
  const address = addressOf(relayData.outputToken)
  const token = tokens.find((candidate) => candidate.address === address)
  if (!token) throw new Error(`${address} is no asset of ${to}`)
  const from = actors.relayer
  const node = nodes.get(to)
  node.fork?.expectFill(relayHash({ ...deposit, relayData }))
  await fund({ asset: token.symbol, amount, network: to, signal })
  await allow(node, {
    token: token.address,
    owner: from,
    spender: spokePool,
    amount,
    // Once for all fills: every transaction makes the fills behind it wait.
    grant: 2n ** 256n - 1n,
    signal,
  })
  const call = { from, to: spokePool, data: fillData(relayData, to) }
  // Only the makers' own pools may be of another time.
  const data = forked?.has(to) ? await understood(node, call, relayData) : call.data
  return sendAs(node, { ...call, data }, signal)
}

type RelayData = Deposit['relayData']

function fillData(relayData: RelayData, to: NetworkName): Hex {
  return encodeFunctionData({
    abi: iSpokePoolAbi,
    functionName: 'fillRelay',
    // The account to repay, which the pool names as the relayer.
    args: [relayData, BigInt(networkOf(to).chainId), pad(actors.relayer)],
  })
}

const oldPoolAbi = parseAbi([
  'struct OldRelayData { address depositor; address recipient; address exclusiveRelayer; address inputToken; address outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint32 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function fillV3Relay(OldRelayData relayData, uint256 repaymentChainId)',
])

/** The fill in the older words where the pool takes it in those alone; else as it is, also where it will fail. */
async function understood(
  { rpc, chainId }: Node,
  call: { from: Address; to: Address; data: Hex },
  relayData: RelayData,
): Promise<Hex> {
  const goes = async (data: Hex): Promise<boolean> => {
    try {
      await rpc.request('eth_call', [{ ...call, data }, 'pending'])
      return true
    } catch (error) {
      if (error instanceof RpcError) return false
      throw error
    }
  }
  // The older pools count in 32 bits.
  if ((await goes(call.data)) || relayData.depositId >= 2n ** 32n) return call.data
  const { depositor, recipient, exclusiveRelayer, inputToken, outputToken } = relayData
  const older = encodeFunctionData({
    abi: oldPoolAbi,
    functionName: 'fillV3Relay',
    args: [
      {
        ...relayData,
        depositor: addressOf(depositor),
        recipient: addressOf(recipient),
        exclusiveRelayer: addressOf(exclusiveRelayer),
        inputToken: addressOf(inputToken),
        outputToken: addressOf(outputToken),
        depositId: Number(relayData.depositId),
      },
      BigInt(chainId),
    ],
  })
  return (await goes(older)) ? older : call.data
}
