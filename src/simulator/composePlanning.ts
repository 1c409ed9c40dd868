import { createReaders } from '../chain/state/networkState.js'
import { recordedBridge } from '../control/recorded.js'
import { createArrivals } from '../control/systemLock.js'
import {
  bridgeFaults,
  type ExecutingAccounts,
  executeFaults,
  planFaults,
  quoteFaults,
  withFolioFaults,
} from '../faults/interceptors/calls.js'
import { svcAddresses } from '../generated/svc.js'
import { createDurations } from '../observe/metrics/durations.js'
import { createQuoteClient } from '../service/aggregator/client.js'
import { startAggregator } from '../service/aggregator/server.js'
import { addressOf } from '../service/bridge/deposit.js'
import { createBridgeRelayer } from '../service/bridge/relayer.js'
import { createFolioService } from '../service/folio/read.js'
import { createValueHistory } from '../service/folio/values.js'
import { staleCheck } from '../service/plans/execute/consume.js'
import { planKinds } from '../service/plans/kinds/index.js'
import { createPlanPipeline } from '../service/plans/pipeline.js'
import { planCheck } from '../service/plans/prepare/planCheck.js'
import { createRewardsUpdater } from '../service/rewards/updater.js'
import type { Base, PartsOptions } from './composeBase.js'
import { stuckEvent } from './logEvents.js'

export type PlanParts = Awaited<ReturnType<typeof composePlanning>>

export async function composePlanning(options: PartsOptions, base: Base) {
  const { forks, bridgeDelayMs, readTimeoutMs } = options
  const { world, faults, faucet, outside, tasks } = base
  const { clock, nodes, book, store, ledger } = world
  const callers: ExecutingAccounts = new Map()
  const bridge = createBridgeRelayer({
    ...world,
    wait: clock.wait,
    faucet,
    forked: forks,
    delayMs: bridgeDelayMs,
    intercept: recordedBridge(book, ledger, bridgeFaults(faults, { store, book, callers })),
    ...{ served: faults.set.deposits, stoppedAt: faults.set.stoppages.at },
    onUnfilled(deposit, why) {
      const publish = async (): Promise<void> => {
        const [account] = await store.accountsOfWallet(addressOf(deposit.relayData.depositor))
        base.happened(stuckEvent(deposit, account?.accountId, why))
      }
      publish().catch((error) => world.onError('a stuck bridge was not logged', error))
    },
  })
  const quoting = quoteFaults(faults, book)
  const aggregator = await startAggregator({ clock, nodes, book, intercept: quoting.intercept })
  const quotes = createQuoteClient(aggregator.url, {
    clock,
    headers: quoting.headers,
    nameOf: (network, token) =>
      book.on(network).tokens.find(({ address }) => address === token.toLowerCase())?.symbol ??
      token,
  })
  const rewards = createRewardsUpdater({ nodes, book, faucet, forked: forks })
  const offers = {
    ...world,
    scripts: svcAddresses.scripts,
    reader: createReaders(book, forks),
    quotes,
    rewards,
    readTimeoutMs,
  }
  // Fault rules do not count reads from outside.
  const planAgain = planCheck({ ...offers, kinds: planKinds, nodes: options.nodes })
  const sources = { ...offers, planAgain }
  const values = createValueHistory(clock.now)
  const [planned, executed, ended] = [createDurations(), createDurations(), createDurations()]
  const times = { planned, executed, ended }
  const plans = createPlanPipeline({
    ...sources,
    forked: forks,
    ...{ bridge, stoppedAt: faults.set.stoppages.at },
    kinds: planKinds,
    around: {
      faults: {
        create: planFaults(faults),
        execute: executeFaults(faults, { store, callers }),
      },
      released: clock.released,
      inOrder: createArrivals(clock, tasks),
      answered({ kind, result, seconds }) {
        if (kind) times.planned.add({ kind, result }, seconds)
        else times.executed.add({ result }, seconds)
      },
    },
    onEnd({ kind, end, ms }) {
      if (end !== 'interrupted') times.ended.add({ kind, result: end }, ms / 1000)
    },
  })
  // The bridge first: transactions that plans send again make new deposits.
  outside.onReplaced(bridge.recheck)
  outside.onReplaced(plans.recheck)
  return {
    bridge,
    aggregator,
    quotes,
    rewards,
    times,
    plans,
    values,
    folio: withFolioFaults(createFolioService({ ...sources, values }), faults),
    staleNow: staleCheck({ ...sources, kinds: planKinds, nodes: options.nodes }),
    planAgain,
    seenFolio: createFolioService({ ...sources, values, nodes: options.nodes }),
  }
}
