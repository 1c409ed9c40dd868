import type { NetworkName } from '../../deployments/networks.js'
import { type Method, methodOf } from './methods.js'
import type { Channel, NodeAnswer } from './nodeSocket.js'
import { type AskNode, createRpcOver, type Rpc } from './rpc.js'

/** A request on its way to a node. */
export interface NodeRequest {
  network: NetworkName
  method: string
  /** As the client or the service gave them; absent where it gave none. */
  params?: unknown
  /** The sender: the service, or a client of `/rpc`. */
  by: 'service' | 'client'
  /** The row of its method. */
  about: Method
  /** How long the node may take; unlimited when absent. */
  timeoutMs?: number
  /** Leaves postponed blocks postponed. */
  asItStands?: true
  /** Sets the node differently for a while: the setting must not outlive the process. */
  forNow?: true
}

/** Passes a request on; resolves to the answer, even if that is an error. */
export type PassOn = (request: NodeRequest) => Promise<NodeAnswer>

/** One step: it may answer the request itself, refuse it by throwing, or pass it on, with others before and after it. */
export type ChainStep = (request: NodeRequest, next: PassOn) => Promise<NodeAnswer>

/** A request of one sender. */
export function nodeRequest(
  network: NetworkName,
  by: NodeRequest['by'],
  method: string,
  params?: unknown,
): NodeRequest {
  return { network, method, params, by, about: methodOf(method) }
}

/** The first parameter of a request; undefined when its parameters are no list. */
export function firstParam({ params }: { params?: unknown }): unknown {
  return Array.isArray(params) ? (params as unknown[])[0] : undefined
}

/** Sends further requests of the same sender. Rejects when the node answers with an error. */
export function askOver(request: NodeRequest, next: PassOn): AskNode {
  return async (method, ...params) => {
    const { result, error } = await next({ ...request, method, params, about: methodOf(method) })
    if (error) throw new Error(`the node refused ${method}: ${error.message}`)
    return result as never
  }
}

/**
 * The steps of a request, in this order; the answer passes them in reverse. A network omits the steps that it does not need.
 * Every request of the service and of `/rpc` passes them. Subscriptions go to the node directly.
 */
const order = [
  // A fault rule of the seam `chain` delays the request. While a fault has stopped the process, the clock does not wait for the answer.
  // Behind the rules, since they belong to no request, postponed blocks are mined; and after the answer, followers read the chain again.
  'fault',
  // Requests about the latest and the next block are answered from a cache while nothing has changed.
  'cache',
  // Commands are logged in the data folder before they run, one at a time. After a crash they are replayed.
  'log',
  // Snapshots, reverts and shared blocks run alone, those that would break the node are refused, and changes are counted.
  'gate',
  // When blocks are taken back, the node keeps its time, and their logs are reported as removed.
  'time',
] as const

/** The name of a step. */
export type ChainStepName = (typeof order)[number]

/** Steps by their names. */
export type ChainSteps = { readonly [Name in ChainStepName]?: ChainStep | undefined }

/** The pipeline to one node. Immutable: `with` makes another one over the same connections. */
export class ChainPipeline {
  readonly network: NetworkName
  private readonly steps: ChainSteps
  private readonly channel: Channel
  /** Sends a request over the service's connections. */
  readonly send: PassOn

  /** @param channel The connections to the node that the service uses. */
  constructor(network: NetworkName, channel: Channel, steps: ChainSteps) {
    this.network = network
    this.channel = channel
    this.steps = steps
    this.send = this.to(channel)
  }

  /** The names of its steps, from the caller to the node. */
  get names(): readonly ChainStepName[] {
    return order.filter((name) => this.steps[name])
  }

  /** The same pipeline with more steps, each in its place. */
  with(steps: ChainSteps): ChainPipeline {
    return new ChainPipeline(this.network, this.channel, { ...this.steps, ...steps })
  }

  /** The same steps over other connections. */
  to(channel: Channel): PassOn {
    const toNode: PassOn = ({ method, params, timeoutMs }) =>
      channel.request(method, params, timeoutMs)
    return through(
      order.map((name) => this.steps[name]),
      toNode,
    )
  }

  /** The service's requests through this pipeline. */
  rpc(how: Pick<NodeRequest, 'asItStands' | 'forNow'> = {}): Rpc {
    const isPlain = Object.keys(how).length === 0
    const send: PassOn = isPlain ? this.send : (request) => this.send({ ...request, ...how })
    return rpcOver(this.network, send, this.channel.close)
  }
}

/** Several steps as one, in this order. */
export function stepsInOrder(...steps: (ChainStep | undefined)[]): ChainStep {
  return (request, next) => through(steps, next)(request)
}

function through(steps: readonly (ChainStep | undefined)[], last: PassOn): PassOn {
  return steps.reduceRight<PassOn>(
    (next, step) => (step ? (request) => step(request, next) : next),
    last,
  )
}

/** The service's requests through `send`. */
export function rpcOver(network: NetworkName, send: PassOn, close: () => void): Rpc {
  const ask = (method: string, params: readonly unknown[]) =>
    send(nodeRequest(network, 'service', method, params))
  return createRpcOver(`The ${network} node`, ask, close)
}
