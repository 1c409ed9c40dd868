import type { Nodes } from '../../chain/rpc/node.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { HoldingRule } from '../../service/bridge/refund.js'
import type { BridgeWorker, ExpectedFill } from '../../service/bridge/relayer.js'
import type { ActiveRule } from './activeRule.js'
import { isSpent, type RuleView } from './faultRules.js'
import { viewOf } from './view.js'

/** From when to when a rule kept a network (all without one) from mining or from responding, in milliseconds of the clock. */
export interface Stoppage extends HoldingRule {
  network?: string
  sinceMs: number
  /** Absent while it lasts. */
  untilMs?: number
}

/** The newest are remembered: a bridge asks for those at its deadline. */
const rememberedStoppages = 1_000

export type Stoppages = ReturnType<typeof createStoppages>

/** Remembers which rules stopped which networks, and when: a rule may be gone when a bridge that it held fails. */
export function createStoppages() {
  let all: Stoppage[] = []
  const open = (id: string) => all.find(({ rule, untilMs }) => rule === id && untilMs === undefined)
  const end = (id: string, ms: number): void => {
    const stoppage = open(id)
    if (stoppage) stoppage.untilMs = ms
  }
  return {
    /** One that is open already goes on: its rule was restored. */
    begin(rule: ActiveRule): void {
      const [stop] = rulesStopping([viewOf(rule)])
      if (!stop || open(rule.id)) return
      const { network } = rule.match
      const sinceMs = rule.world.tools.clock.now()
      all.push({ rule: stop.rule, effect: stop.effect, ...(network && { network }), sinceMs })
      all = all.slice(-rememberedStoppages)
    },
    end: ({ id, world }: ActiveRule): void => end(id, world.tools.clock.now()),
    /** Ends those whose rules are gone. */
    endOthers(rules: { has(id: string): boolean }, nowMs: number): void {
      for (const { rule } of all) if (!rules.has(rule)) end(rule, nowMs)
    },
    /** The rules that stopped the network at a moment of the clock. */
    at: (network: NetworkName, ms: number): HoldingRule[] =>
      all
        .filter((each) => (each.network ?? network) === network)
        .filter(({ sinceMs, untilMs = Infinity }) => sinceMs <= ms && ms < untilMs)
        .map(({ rule, effect }) => ({ rule, effect })),
    save: (): readonly Stoppage[] => all.map((each) => ({ ...each })),
    restore(saved: readonly Stoppage[]): void {
      all = saved.map((each) => ({ ...each }))
    },
  }
}

/** The rules that keep one of the networks (any without them) from mining or from responding now; `name`: `mean (chain.halt)`. */
export function rulesStopping(rules: readonly RuleView[], networks?: readonly string[]) {
  return rules.flatMap((rule) => {
    const { id, on, effect = '', match, ends } = rule
    const word = typeof effect === 'string' ? effect : Object.keys(effect)[0]!
    const isStop = on === 'chain' && ['halt', 'down'].includes(word) && !isSpent(rule)
    const isThere = match.network === undefined || (networks?.includes(match.network) ?? true)
    if (!isStop || !isThere) return []
    const until = ends === undefined ? '' : `until ${ends.slice(0, 19)}Z of the machine’s clock`
    const name = `${id} (chain.${word}${until && `, ${until}`})`
    return [{ rule: id, effect: `chain.${word}`, name, until }]
  })
}

/** What a bridge waits for where a network that it needs next does not mine: no moment is certain then. */
export function expectedFillUnder(
  rules: () => readonly RuleView[],
  nodes: Pick<Nodes, 'get'>,
  expected: BridgeWorker['expected'],
): BridgeWorker['expected'] {
  const stopsOn = (networks: readonly NetworkName[]): string[] => [
    ...rulesStopping(rules(), networks).map(({ name }) => name),
    ...networks
      .filter((network) => nodes.get(network).gate?.clientSwitch)
      .map((network) => `${network} to mine (its automatic mining is switched off)`),
  ]
  return (relayHash): ExpectedFill | undefined => {
    const fill = expected(relayHash)
    if (!fill) return fill
    const stops = stopsOn(fill.on)
    const refundsAtMs = stopsOn([fill.back]).length > 0 ? undefined : fill.refundsAtMs
    if (stops.length === 0) return { ...fill, refundsAtMs }
    const {
      fillsAtMs: _,
      waitsFor,
      ...rest
    } = { fillsAtMs: undefined, waitsFor: undefined, ...fill }
    const holds = fill.heldBy.map(({ rule, effect }) => `${rule} (${effect})`)
    const own = waitsFor === undefined ? holds : [waitsFor]
    return { ...rest, waitsFor: [...own, ...stops].join(' and '), refundsAtMs: undefined }
  }
}
