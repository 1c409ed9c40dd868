import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Hex } from 'viem'
import { serialQueue } from '../../lib/serialQueues.js'
import type { DataLog, LoggedPart } from '../../wal/dataLog.js'
import type { NetworkName } from '../deployments/networks.js'
import type { Channel } from '../node/nodeSocket.js'
import { type CommandKind, commandKind } from './commandKinds.js'
import { createNodeSettings } from './nodeSettings.js'

/** What a node was asked to do, as the log has it. JSON-safe. */
export interface Command {
  method: string
  params: unknown
  /** Time of the block that it makes, in Unix seconds; absent when it makes none. */
  at?: number
  /** Hash of the block that it found. */
  on?: Hex
}

/**
 * The commands of one node. What changes it is in the log before it is done, one command at a time; so whatever anybody has seen of
 * the chain can be done again, block by block. Reads go past it.
 */
export interface NodeCommands {
  /** A connection to the node whose commands are logged. */
  over(channel: Channel): Channel
  /** Does again what the log has; before anything else. Resolves to whether the same blocks came out. */
  replay(commands: readonly Command[]): Promise<boolean>
  part: LoggedPart
}

/** The log was closed meanwhile, so nothing was done: the command has to come again. */
class ComeAgain extends Error {}

/** The chain has blocks that the log does not know of. */
class UnknownBlocks extends Error {}

/**
 * @param own A connection to the node that nobody else uses.
 * @param onSurprise Told when the chain has blocks that did not come from commands; they are kept by a checkpoint.
 */
export function logCommands(
  network: NetworkName,
  own: Channel,
  log: DataLog,
  onSurprise: (message: string) => void,
): NodeCommands {
  const inTurn = serialQueue()
  const settings = createNodeSettings()
  /** The latest block that came from a command; undefined when that has to be looked up. */
  let head: Hex | undefined

  const tell = async (method: string, params: unknown = []): Promise<Answer> =>
    JSON.parse(await own.exchange(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
  const ask = async <T>(method: string, params: unknown = []): Promise<T> => {
    const { result, error } = await tell(method, params)
    if (error) throw new Error(`the ${network} node refused ${method}: ${error.message}`)
    return result as T
  }
  const latestHash = async (): Promise<Hex> =>
    (await ask<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false])).hash
  const pooled = () => ask<{ pending: Hex; queued: Hex }>('txpool_status')

  /** What can be mined has been: a node answers before that. */
  const untilMined = async (): Promise<void> => {
    for (let asked = 0; asked < mostAsked && Number((await pooled()).pending) > 0; asked++);
  }
  const append = (command: Command): Promise<void> => {
    // Who has the turn must not wait for a checkpoint, which needs the turn as well.
    if (log.isClosed) throw new ComeAgain()
    return log.append(network, command)
  }
  /** Chooses the time of the block that a command makes, and logs both. */
  const announce = async (command: Command): Promise<number> => {
    const block = await ask<{ timestamp: Hex; parentHash: Hex }>('eth_getBlockByNumber', [
      'pending',
      false,
    ])
    const { parentHash: on } = block
    if (head !== undefined && head !== on) throw new UnknownBlocks()
    const at = Number(block.timestamp)
    await append({ ...command, at, on })
    await ask('evm_setNextBlockTimestamp', [at])
    return at
  }
  const makeBlock = async (command: Command, send: () => Promise<string>): Promise<string> => {
    const at = await announce(command)
    const answer = await send()
    if (isError(answer)) {
      // There was no block: the time must not wait for the next one.
      await ask('evm_setTime', [at])
      return answer
    }
    if (!command.method.endsWith('Sync')) await untilMined()
    settings.mined()
    head = await latestHash()
    return answer
  }
  /** A transaction that nobody mines. The turn ends when the node has it; its answer may come much later. */
  const pool = async (
    command: Command,
    send: () => Promise<string>,
  ): Promise<() => Promise<string>> => {
    await append(command)
    const before = await pooled()
    let isAnswered = false
    const sent = send().finally(() => {
      isAnswered = true
    })
    sent.catch(() => {})
    const isTaken = async (): Promise<boolean> => {
      const now = await pooled()
      return now.pending !== before.pending || now.queued !== before.queued
    }
    while (!isAnswered && !(await isTaken()));
    settings.done(command)
    return () => sent
  }
  const perform = async (
    kind: Exclude<CommandKind, 'read' | 'beyond'>,
    command: Command,
    send: () => Promise<string>,
  ): Promise<() => Promise<string>> => {
    if (kind === 'time') return already(await send())
    if (kind === 'mine' || (kind === 'send' && settings.mines))
      return already(await makeBlock(command, send))
    if (kind === 'send') return pool(command, send)
    await append(command)
    const answer = await send()
    if (!isError(answer)) settings.done(command)
    return already(answer)
  }

  const run = async (command: Command, send: () => Promise<string>): Promise<string> => {
    const kind = commandKind(command.method, command.params)
    if (kind === 'read') return send()
    if (kind === 'beyond')
      return log.replace(() =>
        inTurn(() => {
          head = undefined
          return send()
        }),
      )
    for (;;) {
      if (log.isClosed) await log.opened()
      try {
        const answered = await inTurn(() => perform(kind, command, send))
        return await answered()
      } catch (error) {
        if (error instanceof UnknownBlocks) {
          onSurprise(
            `${network}: the chain has blocks that no command made; it is written down as it is`,
          )
          await log.replace(async () => {
            head = undefined
          })
        } else if (!(error instanceof ComeAgain)) throw error
      }
    }
  }

  const again = async ({ method, params, at }: Command): Promise<void> => {
    if (at !== undefined) await ask('evm_setNextBlockTimestamp', [at])
    // Nobody waits for a block where none is mined.
    const { error } = await tell(at === undefined ? method.replace(/Sync$/, '') : method, params)
    if (error && at !== undefined) await ask('evm_setTime', [at])
    if (error) return
    if (at === undefined) settings.done({ method, params })
    else settings.mined()
    if (at !== undefined && !method.endsWith('Sync')) await untilMined()
  }

  return {
    over: (channel) => ({
      async exchange(text, timeoutMs, methods) {
        const isRead = (method: string) => commandKind(method, undefined) === 'read'
        if (methods?.every(isRead)) return channel.exchange(text, timeoutMs, methods)
        const message = JSON.parse(text) as RpcRequest | RpcRequest[]
        const one = (request: RpcRequest): Promise<string> =>
          run({ method: request.method, params: request.params ?? [] }, () =>
            channel.exchange(JSON.stringify(request), timeoutMs, [request.method]),
          )
        if (!Array.isArray(message)) return one(message)
        const answers: string[] = []
        for (const request of message) answers.push(await one(request))
        return `[${answers.join(',')}]`
      },
      close: () => channel.close(),
    }),
    async replay(commands) {
      const latest = () =>
        ask<{ hash: Hex; parentHash: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
          'latest',
          false,
        ])
      // A node takes no time before that of its start, unless it is told to.
      await ask('evm_setTime', [Number((await latest()).timestamp)])
      for (const command of commands) await again(command)
      const block = await latest()
      // From here on it has the machine's time again, as after any start.
      await ask('evm_setTime', [Math.max(Math.floor(Date.now() / 1000), Number(block.timestamp))])
      const last = commands.findLast(({ on }) => on !== undefined)
      if (!last) return true
      // The second: the last command made no block.
      return block.parentHash === last.on || block.hash === last.on
    },
    part: {
      name: network,
      content: (mark) =>
        inTurn(async () => {
          const marked = mark(settings.commands())
          const dump = await ask<string>('anvil_dumpState')
          await marked
          return [await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))]
        }),
    },
  }
}

/** How often a node is asked whether it has mined: some twenty milliseconds, after which something else holds it. */
const mostAsked = 300

interface RpcRequest {
  method: string
  params?: unknown
}

interface Answer {
  result?: unknown
  error?: { message: string }
}

function isError(answer: string): boolean {
  return (JSON.parse(answer) as Answer).error !== undefined
}

function already<T>(value: T): () => Promise<T> {
  return async () => value
}
