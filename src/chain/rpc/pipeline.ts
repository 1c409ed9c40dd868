import type { NetworkName } from '../../deployments/networks.js'
import type { Channel } from './nodeSocket.js'
import { createRpcOver, parseAnswer, type Rpc } from './rpc.js'

/** A message on its way to a node. */
export interface ChainMessage {
  network: NetworkName
  /** JSON-RPC: one request, or a batch. */
  text: string
  /** The methods in `text`, in its order, for steps that need nothing else of it. */
  methods: readonly string[]
  /** The service itself, a client of `/rpc`, or the archive of blocks, which reads between two blocks. */
  by: 'service' | 'client' | 'archive'
  /** How long the node may take; unlimited when absent. */
  timeoutMs?: number
}

/** Passes a message on; resolves to the node's answer, as JSON-RPC text. */
export type PassOn = (message: ChainMessage) => Promise<string>

/** One step: it may answer by itself, refuse by throwing, or pass on this message and others before and after it. */
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
 * The steps of a message, in this order; the answer takes them the other way round. A network leaves out those that it does not need.
 * Every request of the service and of `/rpc` takes them. Subscriptions go to the node directly.
 */
const order = [
  // A fault rule of the seam `chain` delays the message.
  'fault',
  // Blocks that the clock has left to be mined are mined first, past the faults: they belong to nobody's request.
  'postponed',
  // After the answer, followers of this chain read it again, and writes without a transaction are remembered.
  'notify',
  // The clock does not wait for the answer while a fault has stopped the process.
  'yield',
  // What the node forgets is kept in a file, and answered from there.
  'archive',
  // A question about the next block is answered from memory while nothing has changed.
  'cache',
  // The node counts as changing until the log has finished, too.
  'settle',
  // A command is written to the data folder before it is done, one at a time. After a crash it is done again.
  'log',
  // What really reaches the node changes it.
  'track',
  // Transactions that wait learn that they may be mined now.
  'mining',
  // Snapshots and reverts have the node alone, and those that would break it are refused.
  'guard',
  // When blocks are taken back, the node keeps its time.
  'time',
  // Transactions that share a block have the node alone.
  'share',
] as const

/** The name of a step. */
export type ChainStepName = (typeof order)[number]

/** Steps by their names. */
export type ChainSteps = { readonly [Name in ChainStepName]?: ChainStep | undefined }

/** The way to one node. It never changes: `with` makes another one over the same connections. */
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

  /** The names of its steps, first the one next to the caller. */
  get names(): readonly ChainStepName[] {
    return order.filter((name) => this.steps[name])
  }

  /** The same way with more steps, each in its place. */
  with(steps: ChainSteps): ChainPipeline {
    return new ChainPipeline(this.network, this.channel, { ...this.steps, ...steps })
  }

  /** The steps in front of these connections. */
  to(channel: Channel): PassOn {
    const toNode: PassOn = ({ text, timeoutMs }) => channel.request(text, timeoutMs)
    return order.reduceRight<PassOn>((next, name) => {
      const step = this.steps[name]
      return step ? (message) => step(message, next) : next
    }, toNode)
  }

  /** The service's requests over this way. */
  rpc(): Rpc {
    return rpcOver(this.network, this.send, this.channel.close)
  }
}

/** The service's requests over this way. */
export function rpcOver(network: NetworkName, send: PassOn, close: () => void): Rpc {
  const ask = async (text: string, method: string) =>
    parseAnswer(await send({ network, text, methods: [method], by: 'service' }))
  return createRpcOver(`The ${network} node`, ask, close)
}
