import { formatUnits } from 'viem/utils'
import type { Faucet } from '../chain/funds/faucet.js'
import type { Receipt } from '../chain/rpc/node.js'
import type { AddressBook } from '../deployments/addressBook.js'
import type { NetworkName } from '../deployments/networks.js'
import type { Deposit } from '../service/bridge/deposit.js'
import type { FillOutcome, RelayerParts } from '../service/bridge/relayer.js'
import { type Author, touchesOf } from '../service/context/changes.js'
import type { Ledger } from '../service/context/ledger.js'
import type { RewardsUpdater } from '../service/rewards/updater.js'
import type { LiquidatorParts } from './liquidator.js'
import type { PriceBoard } from './priceBoard.js'
import type { Time, Timekeeper } from './time.js'

type Entries = Pick<Ledger, 'add'>

/** Records each price move in the ledger. */
export function recordedPrices(board: PriceBoard, ledger: Entries): PriceBoard {
  return {
    all: board.all,
    async set(asset, usdE8) {
      const done = await board.set(asset, usdE8)
      const { moved: assets, was } = done
      if (was !== undefined && was !== usdE8) {
        const [before, after] = [formatUnits(was, 8), formatUnits(usdE8, 8)]
        ledger.add({ by: 'price' }, [{ of: 'price', assets, before, after }])
      }
      return done
    },
  }
}

/** Records each jump of the clock in the ledger. */
export function recordedTimekeeper<T extends Timekeeper>(timekeeper: T, ledger: Entries): T {
  const recorded = async (move: () => Promise<Time>): Promise<Time> => {
    const before = timekeeper.time().now
    const after = await move()
    if (after.now !== before)
      ledger.add({ by: 'clock' }, [{ of: 'time', before, after: after.now }])
    return after
  }
  return {
    ...timekeeper,
    advance: (seconds: number) => recorded(() => timekeeper.advance(seconds)),
    freeze: (atMs?: number) => recorded(() => timekeeper.freeze(atMs)),
  }
}

/** Records each gift of the control API's faucet in the ledger. */
export function recordedFaucet(faucet: Faucet, ledger: Entries): Faucet {
  return {
    async fund(request) {
      const gift = await faucet.fund(request)
      const { network, asset: symbol, balance } = gift
      const [address, delta] = [gift.address.toLowerCase(), `${request.amount}`]
      ledger.add({ by: 'faucet', network, asset: symbol, amount: delta }, [
        { of: 'balance', network, address, symbol, delta, after: `${balance}` },
      ])
      return gift
    },
  }
}

/** Records each grant of rewards in the ledger. */
export function recordedRewards(rewards: RewardsUpdater, ledger: Entries): RewardsUpdater {
  return {
    ...rewards,
    async grant(request) {
      const granted = await rewards.grant(request)
      const { network, asset } = granted
      ledger.add({ by: 'rewards', network, asset, amount: `${request.amount}` }, [
        { of: 'state', network, address: granted.address.toLowerCase() },
      ])
      return granted
    },
  }
}

/** Records each liquidation in the ledger, before `onDone`. */
export function recordedLiquidations(
  book: AddressBook,
  ledger: Entries,
  onDone: LiquidatorParts['onDone'],
): LiquidatorParts['onDone'] {
  return (network, receipt) => {
    addMined(ledger, book, { by: 'liquidation', network }, { network, receipt })
    return onDone(network, receipt)
  }
}

/** Records each fill and refund in the ledger. */
export function recordedBridge(
  book: AddressBook,
  ledger: Entries,
  intercept: NonNullable<RelayerParts['intercept']>,
): NonNullable<RelayerParts['intercept']> {
  return async (service, proceed) => {
    const outcome = await intercept(service, proceed)
    const ended = endOf(service.deposit, outcome)
    if (ended) {
      const { network } = ended
      addMined(ledger, book, { by: 'bridge', from: service.deposit.from, network }, ended)
    }
    return outcome
  }
}

interface Mined {
  network: NetworkName
  receipt: Receipt
}

function endOf({ from, to }: Deposit, outcome: FillOutcome): Mined | undefined {
  if (outcome.status === 'filled') return { network: to, receipt: outcome.receipt }
  const refund = outcome.status === 'failed' ? outcome.refund : undefined
  return refund && { network: from, receipt: refund }
}

function addMined(
  ledger: Entries,
  book: AddressBook,
  actor: Author,
  { network, receipt: { logs, transactionHash: hash, blockNumber } }: Mined,
): void {
  const transaction = { network, hash, block: Number(blockNumber) }
  ledger.add(actor, touchesOf(book.on(network), logs), transaction)
}
