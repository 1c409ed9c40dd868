import { createScenarioRuns, type ScenarioRuns } from '../clients/scenarios/runs.js'
import type { Timekeeper } from '../control/time.js'
import type { FaultRules, RuleView } from '../faults/rules/faultRules.js'
import type { Bind } from '../http/core/types.js'
import type { RunProgress } from '../observe/stream/runProgress.js'
import type { TraceSources } from '../observe/trace/content.js'
import type { FolioViewer } from '../service/folio/read.js'
import type { ValueHistory } from '../service/folio/values.js'
import type { ValueWatch } from '../service/folio/watchValues.js'
import type { Store } from '../service/store/store.js'

/** How scenarios of this world are played: over HTTP, as by a client. */
export function composeScenarios(
  given: {
    url: string
    ownHeaders?: Record<string, string>
    scenarioFolder: string | undefined
    apiKeys: readonly string[]
    bind: Bind
  },
  publish: (progress: RunProgress) => void,
): ScenarioRuns {
  const { url, ownHeaders, scenarioFolder, apiKeys, bind } = given
  const controlToken = bind.worldKey ?? bind.controlToken
  return createScenarioRuns({
    target: {
      url,
      apiKey: apiKeys[0]!,
      ...(ownHeaders && { headers: ownHeaders }),
      ...(controlToken === undefined ? {} : { controlToken }),
    },
    ownFolder: scenarioFolder,
    publish,
  })
}

/** What a trace is made from; and what is to be called before the end, which removes all faults. */
export function composeTrace(
  given: Pick<TraceSources, 'journal' | 'store' | 'coverage' | 'keys'> & {
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
      secrets: [...given.keys.map(({ key }) => key), bind.controlToken ?? []].flat(),
    },
    ending() {
      atEnd = rules.faults.list()
    },
  }
}
