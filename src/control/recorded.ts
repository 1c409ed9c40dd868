import { formatUnits } from 'viem/utils'
import type { ChangeRecord } from '../service/context/changes.js'
import type { PriceBoard } from './priceBoard.js'
import type { Time, Timekeeper } from './time.js'

/** The price board; each move is recorded, so that a plan that it makes stale can name it. */
export function recordedPrices(board: PriceBoard, changes: Pick<ChangeRecord, 'add'>): PriceBoard {
  return {
    all: board.all,
    async set(asset, usdE8) {
      const done = await board.set(asset, usdE8)
      const { moved, was } = done
      if (was !== undefined && was !== usdE8)
        changes.add({
          cause: 'price',
          assets: moved,
          before: formatUnits(was, 8),
          after: formatUnits(usdE8, 8),
        })
      return done
    },
  }
}

/** The timekeeper; each jump of the clock is recorded. */
export function recordedTimekeeper<T extends Timekeeper>(
  timekeeper: T,
  changes: Pick<ChangeRecord, 'add'>,
): T {
  const recorded = async (move: () => Promise<Time>): Promise<Time> => {
    const before = timekeeper.time().now
    const after = await move()
    if (after.now !== before) changes.add({ cause: 'clock', before, after: after.now })
    return after
  }
  return {
    ...timekeeper,
    advance: (seconds: number) => recorded(() => timekeeper.advance(seconds)),
    freeze: (atMs?: number) => recorded(() => timekeeper.freeze(atMs)),
  }
}
