import type { NetworkName } from '../../deployments/networks.js'
import type { Channel } from './nodeSocket.js'
import { createRpcOver, parseAnswer, type Rpc } from './rpc.js'

/** A message on its way to a node. */
export interface ChainMessage {
  network: NetworkName
  /** JSON-RPC: one request, or a batch. */
  text: string
  /** The methods in `text`, in order, so that most steps need not parse it. */
  methods: readonly string[]
  /** The sender: the service, or a client of `/rpc`. */
  by: 'service' | 'client'
  /** How long the node may take; unlimited when absent. */
  timeoutMs?: number
}

/** Passes a message on; resolves to the answer, as JSON-RPC text. */
export type PassOn = (message: ChainMessage) => Promise<string>

/** One step: it may answer the message itself, refuse it by throwing, or pass it on, with others before and after it. */
export type ChainStep = (message: ChainMessage, next: PassOn) => Promise<string>

/**
 * Handles the requests of a message one after the other, since some may change what later ones ask about. Resolves to their answers,
 * as one for a single request and as a list for a batch.
 */
export async function answerInOrder<Request>(
  text: string,
  handle: (request: Request) => Promise<string>,
): Promise<string> {
  const sent = JSON.parse(text) as Request | Request[]
  if (!Array.isArray(sent)) return handle(sent)
  const answers: string[] = []
  for (const request of sent) answers.push(await handle(request))
  return `[${answers.join(',')}]`
}

/**
 * The steps of a message, in this order; the answer passes them in reverse. A network omits the steps that it does not need.
 * Every request of the service and of `/rpc` passes them. Subscriptions go to the node directly.
 */
const order = [
  // A fault rule of the seam `chain` delays the message.
  'fault',
  // Postponed blocks are mined first, bypassing the faults, since they belong to no request.
  'postponed',
  // After the answer, followers of this chain read it again, and writes without a transaction are noted.
  'notify',
  // While a fault has stopped the process, the clock does not wait for the answer.
  'yield',
  // Requests about the latest and the next block are answered from a cache while nothing has changed.
  'cache',
  // The node counts as changing until the log, too, has finished.
  'settle',
  // Commands are logged in the data folder before they run, one at a time. After a crash they are replayed.
  'log',
  // Every message that reaches the node may change it.
  'track',
  // Waiting transactions are told that they may be mined now.
  'mining',
  // Snapshots and reverts run alone, and those that would break the node are refused.
  'guard',
  // Logs of blocks that are taken back are reported as removed.
  'removed',
  // When blocks are taken back, the node keeps its time.
  'time',
  // Transactions that share a block run alone.
  'share',
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
  /** Sends a message over the service's connections. */
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
    const toNode: PassOn = ({ text, timeoutMs }) => channel.request(text, timeoutMs)
    return order.reduceRight<PassOn>((next, name) => {
      const step = this.steps[name]
      return step ? (message) => step(message, next) : next
    }, toNode)
  }

  /** The service's requests through this pipeline. */
  rpc(): Rpc {
    return rpcOver(this.network, this.send, this.channel.close)
  }
}

/** The service's requests through `send`. */
export function rpcOver(network: NetworkName, send: PassOn, close: () => void): Rpc {
  const ask = async (text: string, method: string) =>
    parseAnswer(await send({ network, text, methods: [method], by: 'service' }))
  return createRpcOver(`The ${network} node`, ask, close)
}
