import type { Faucet } from '../../chain/funds/faucet.js'
import { StoppedError } from '../../chain/transactions/pool.js'
import { actors } from '../../deployments/actors.js'
import type { NetworkName } from '../../deployments/networks.js'
import { awaitBehind, currentTask, type Task } from '../../time/backgroundTasks.js'
import { taskQueues } from '../../time/taskQueues.js'

/** What the relayer is to have for a fill. `amount` in the asset's smallest unit. */
export interface Funding {
  asset: string
  amount: bigint
  network: NetworkName
  /** When aborted, this fill takes nothing any more. */
  signal: AbortSignal
}

/** What is given at once, by the task that asked first. */
interface Gift {
  fills: Funding[]
  task: Task | undefined
  /** Rejects with `StoppedError` when all its fills have stopped. */
  given: Promise<void>
}

/**
 * Gives the relayer what its fills pay out. What fills ask for while an earlier gift is on its way comes as one: every transaction
 * makes the fills behind it wait. When that fails, each gets its own, so that no fill fails for another.
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

/** Aborted once all of them are: a gift goes on while one of its fills wants it. */
function abortedWithAll(fills: readonly Funding[]): AbortSignal {
  const gone = new AbortController()
  const onAbort = (): void => {
    if (fills.every(({ signal }) => signal.aborted)) gone.abort()
  }
  for (const { signal } of fills) signal.addEventListener('abort', onAbort, { once: true })
  onAbort()
  return gone.signal
}
