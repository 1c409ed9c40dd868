import { actors } from '../chain/deployments/actors.js'
import type { NetworkName } from '../chain/deployments/networks.js'
import type { Faucet } from '../chain/funds/faucet.js'
import { awaitBehind, currentTask, type Task } from '../time/backgroundTasks.js'
import { taskQueues } from '../time/taskQueues.js'

/** What the relayer is to have for a fill. `amount` in the asset's smallest unit. */
export interface Funding {
  asset: string
  amount: bigint
  network: NetworkName
}

/** What is given at once, by the task that asked first. */
interface Gift {
  amount: bigint
  /** For how many fills. */
  fills: number
  task: Task | undefined
  given: Promise<void>
}

/**
 * Gives the relayer what its fills pay out. What fills ask for while an earlier gift is on its way comes as one: every transaction
 * makes the fills behind it wait. When that fails, each gets its own, so that no fill fails for another.
 */
export function createFunding(faucet: Faucet): (funding: Funding) => Promise<void> {
  const inTurn = taskQueues<string>()
  const gathering = new Map<string, Gift>()
  const give = async ({ asset, network }: Funding, amount: bigint): Promise<void> => {
    await faucet.fund({ address: actors.relayer, asset, amount, network })
  }
  const gather = (funding: Funding, key: string): Gift => {
    const gift: Gift = { amount: 0n, fills: 0, task: currentTask(), given: Promise.resolve() }
    gathering.set(key, gift)
    gift.given = inTurn(key, () => {
      gathering.delete(key)
      return give(funding, gift.amount)
    })
    return gift
  }
  return async (funding) => {
    const key = `${funding.network}/${funding.asset}`
    const gift = gathering.get(key) ?? gather(funding, key)
    gift.amount += funding.amount
    gift.fills++
    try {
      await awaitBehind(() => gift.task, gift.given)
    } catch (error) {
      if (gift.fills === 1) throw error
      await inTurn(key, () => give(funding, funding.amount))
    }
  }
}
