import { AggregatorRegistry } from 'prom-client'
import type { OpenSeams } from '../../faults/engine/seams.js'
import type { FaultRules } from '../../faults/rules/faultRules.js'
import type { Store } from '../../service/store/store.js'
import type { BackgroundTasks } from '../../time/backgroundTasks.js'
import type { Worlds } from '../../worlds/pool.js'
import { answersIn, type Coverage } from './answerCounts.js'
import { bucketBounds, type DurationRow, type Durations } from './durations.js'
import type { NodeState } from './nodeStates.js'

/** The sources of the figures: counters, and states that are read with each scrape. */
export interface MetricsSources {
  coverage: Coverage
  /** Plans, until their answer: kind and result. */
  planned: Durations
  /** Executes, until their answer: result. */
  executed: Durations
  /** Executions, until the end of their activity: kind and result. */
  ended: Durations
  store: Pick<Store, 'counts'>
  tasks: Pick<BackgroundTasks, 'counts'>
  bridge: { waiting(): number }
  faults: Pick<FaultRules, 'list'> & Pick<OpenSeams, 'fired'>
  nodes(): Promise<NodeState[]>
  /** The worlds that can be leased; a world itself has none. */
  worlds: Pick<Worlds, 'counts'> | undefined
}

type Sample = readonly [labels: Record<string, string>, value: number]

/** A figure in the form that prom-client's registries exchange. */
interface Figure {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  values: { metricName?: string; labels: Record<string, string | number>; value: number }[]
  aggregator: 'sum'
}

/** All figures in the text format of Prometheus. Each call reads anew and keeps nothing, so calls may overlap. */
export async function exposition(sources: MetricsSources): Promise<string> {
  const [nodes, records] = await Promise.all([sources.nodes(), sources.store.counts()])
  const figures = [
    ...requestFigures(sources),
    ...queueFigures(sources, records.executions),
    ...nodeFigures(nodes),
    ...memoryFigures(),
    ...faultFigures(sources),
    ...worldFigures(sources),
    gauge('accounts', 'Sub-accounts.', records.accounts),
    gauge('plans', 'Plans that wait to be executed; some may have expired.', records.plans),
    gauge('activities', 'Activities.', records.activities),
    gauge('events', 'Events.', records.events),
  ]
  // Made for the figures of other processes: the only way in for what prom-client has not counted itself.
  return AggregatorRegistry.aggregate([[...figures]]).metrics()
}

/** A gauge; its name gets the prefix `svc_sim_`. */
function gauge(name: string, help: string, values: number | readonly Sample[]): Figure {
  return figure('gauge', name, help, typeof values === 'number' ? [[{}, values]] : values)
}

function counter(name: string, help: string, samples: readonly Sample[]): Figure {
  return figure('counter', name, help, samples)
}

function figure(
  type: Figure['type'],
  name: string,
  help: string,
  samples: readonly Sample[],
): Figure {
  const values = samples.map(([labels, value]) => ({ labels, value }))
  return { name: `svc_sim_${name}`, help, type, values, aggregator: 'sum' }
}

function histogram(name: string, help: string, durations: Durations): Figure {
  const head = figure('histogram', name, help, [])
  return { ...head, values: durations.rows().flatMap((row) => samplesOf(head.name, row)) }
}

function samplesOf(name: string, { labels, buckets, count, sum }: DurationRow): Figure['values'] {
  let within = 0
  const bounded = bucketBounds.map((bound, i) => {
    within += buckets[i]!
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: within }
  })
  return [
    ...bounded,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

function requestFigures({ coverage, planned, executed, ended }: MetricsSources): Figure[] {
  const answers = answersIn(coverage).map(
    ({ method, route, status, code, count }): Sample => [
      { method, route, status: String(status), code },
      count,
    ],
  )
  return [
    counter('requests_total', 'Finished requests, by response.', answers),
    histogram('plan_duration_seconds', 'Time to return a plan.', planned),
    histogram('execute_duration_seconds', 'Time to respond to execute.', executed),
    histogram(
      'execution_duration_seconds',
      'Time from the response to execute to the end of the activity.',
      ended,
    ),
  ]
}

function queueFigures({ tasks, bridge }: MetricsSources, executions: number): Figure[] {
  const { busy, yielding } = tasks.counts()
  return [
    gauge('executions_under_way', 'Executions whose activity is pending.', executions),
    gauge(
      'bridge_deposits_waiting',
      'Deposits that have neither been filled nor sent back.',
      bridge.waiting(),
    ),
    gauge('background_tasks', 'Background work.', [
      [{ state: 'busy' }, busy],
      [{ state: 'waiting' }, yielding],
    ]),
  ]
}

function nodeFigures(nodes: readonly NodeState[]): Figure[] {
  const known = (of: 'height' | 'resident'): Sample[] =>
    nodes.flatMap(({ network, [of]: value }) => (value === undefined ? [] : [[{ network }, value]]))
  return [
    gauge(
      'node_up',
      'Whether the node answered.',
      nodes.map(({ network, height }) => [{ network }, height === undefined ? 0 : 1]),
    ),
    gauge('node_height', 'Number of the latest block of nodes that answered.', known('height')),
    counter(
      'node_restarts_total',
      'How often the node has died and was started again.',
      nodes.map(({ network, revivals }) => [{ network }, revivals]),
    ),
    gauge('node_resident_memory_bytes', 'Resident memory of the node.', known('resident')),
  ]
}

function memoryFigures(): Figure[] {
  const { rss, heapUsed } = process.memoryUsage()
  return [
    gauge('resident_memory_bytes', 'Resident memory of this process, without its nodes.', rss),
    gauge('heap_used_bytes', 'Heap of this process that is in use.', heapUsed),
  ]
}

function faultFigures({ faults }: MetricsSources): Figure[] {
  const active = new Map<string, number>()
  for (const { on, effect = 'sequence' } of faults.list()) {
    const name = `${on}.${typeof effect === 'string' ? effect : Object.keys(effect)[0]}`
    active.set(name, (active.get(name) ?? 0) + 1)
  }
  return [
    gauge('fault_rules', 'Fault rules that there are now.', byEffect(active)),
    counter('faults_fired_total', 'How often faults have fired.', byEffect(faults.fired)),
  ]
}

function worldFigures({ worlds }: MetricsSources): Figure[] {
  if (!worlds) return []
  const { leased, warm, starting, waiting, granted, lost } = worlds.counts()
  return [
    gauge('worlds', 'Worlds that there are beside the first.', [
      [{ state: 'leased' }, leased],
      [{ state: 'warm' }, warm],
      [{ state: 'starting' }, starting],
    ]),
    gauge('world_leases_waiting', 'Requests for a lease that wait for a world.', waiting),
    counter('worlds_leased_total', 'Leases of worlds.', [[{}, granted]]),
    counter('worlds_lost_total', 'Worlds that ended by themselves.', [[{}, lost]]),
  ]
}

function byEffect(counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([effect, count]) => [{ effect }, count])
}
