import { createScenarioRuns, type ScenarioRuns } from '../clients/scenarios/runs.js'
import type { Timekeeper } from '../control/time.js'
import type { PersistedFaults } from '../faults/engine/persistedFaults.js'
import type { FaultRules, RuleView } from '../faults/rules/faultRules.js'
import { ownSecrets } from '../http/core/apiKeys.js'
import type { Bind } from '../http/core/types.js'
import { createJournal, type Journal, journalBounds } from '../observe/journal/journal.js'
import type { Coverage } from '../observe/metrics/answerCounts.js'
import { watchNodes } from '../observe/metrics/nodeStates.js'
import type { RunProgress } from '../observe/stream/messages.js'
import type { TraceSources } from '../observe/trace/content.js'
import type { FolioViewer, ValueWatch } from '../service/folio/read.js'
import type { ValueHistory } from '../service/folio/values.js'
import type { Store } from '../service/store/store.js'
import type { Base, PartsOptions, ServiceOptions } from './composeBase.js'
import type { PlanParts } from './composePlanning.js'
import { failureLog } from './logEvents.js'

/** Plays this world's scenarios over HTTP, as a client would. */
export function composeScenarios(
  given: Pick<ServiceOptions, 'url' | 'scenarioFolder' | 'apiKeys' | 'bind'>,
  publish: (progress: RunProgress) => void,
): ScenarioRuns {
  const { url, scenarioFolder, apiKeys, bind } = given
  const controlToken = bind.worldKey ?? bind.controlToken
  return createScenarioRuns({
    target: { url, apiKey: apiKeys[0]!, controlToken },
    ownFolder: scenarioFolder,
    publish,
  })
}

/** The journal, and from it the log lines about failed activities. */
export function composeJournal({ clock, log }: PartsOptions, base: Base): Journal {
  const { publish, hearers, happened, world } = base
  const journal = createJournal(clock, journalBounds, publish.request)
  if (log.happened) hearers.add(failureLog({ ...world, journal, happened }))
  return journal
}

/** The sources of a trace. Call `ending` before the stop removes the fault rules. */
export function composeTrace(
  given: Pick<TraceSources, 'journal' | 'store' | 'coverage' | 'keys' | 'switches'> & {
    bind: Bind
    rules: { faults: Pick<FaultRules, 'list'> }
    timekeeper: Pick<Timekeeper, 'time'>
    snapshots: { list: TraceSources['snapshots'] }
    board: { all: TraceSources['prices'] }
    heads: TraceSources['heads']
    inspect: TraceSources['inspect']
    viewer: FolioViewer
    values: Pick<ValueHistory, 'of'> & Pick<ValueWatch, 'watch'>
    store: Pick<Store, 'allAccounts'>
  },
): { sources: TraceSources; ending(): void } {
  const { bind, rules, timekeeper, snapshots, board, viewer, values, ...sources } = given
  let atEnd: RuleView[] | undefined
  return {
    sources: {
      ...sources,
      faults: () => atEnd ?? rules.faults.list(),
      time: timekeeper.time,
      snapshots: snapshots.list,
      prices: board.all,
      async folio(id) {
        const account = (await given.store.allAccounts()).find(({ accountId }) => accountId === id)
        return account && ((await viewer.look(account)).folio ?? undefined)
      },
      values: values.of,
      watchValues: values.watch,
      secrets: ownSecrets(given.keys, bind),
    },
    ending() {
      atEnd = rules.faults.list()
    },
  }
}

export function composeMetrics(
  { nodes, worlds }: ServiceOptions,
  { world, tasks, faults: seams }: Base,
  {
    planning,
    rules,
    coverage,
  }: { planning: PlanParts; rules: PersistedFaults; coverage: Coverage },
): () => Promise<string> {
  const { times, bridge } = planning
  const { store } = world
  // Past the faults: rules must not count these calls.
  const watched = { nodes: watchNodes(nodes), worlds }
  const faults = { list: rules.faults.list, fired: seams.fired }
  const sources = { coverage, ...times, store, tasks, bridge, faults, ...watched }
  return async () => {
    // Its library is loaded with the first request.
    const { exposition } = await import('../observe/metrics/exposition.js')
    return exposition(sources)
  }
}
