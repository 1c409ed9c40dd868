import { Redis } from 'ioredis'
import {
  announceEveryMs,
  DirectoryError,
  type FleetDirectory,
  type FleetLease,
  NotAnnouncedYet,
  rememberedMs,
} from './directory.js'
import { scripts } from './redisScripts.js'

/** How a directory in Redis is reached, and who hears how that goes. */
export interface RedisOptions {
  /** `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`, or `rediss://` for TLS. */
  url: string
  /** It can be reached, for the first time or again: it may have forgotten what it knew. */
  onReached?(): void
  /** It cannot be reached any more, or not yet; said once until it is. */
  onUnreached?(reason: string): void
}

/** An answer that takes longer is none. Milliseconds. */
const answerWithinMs = 1_500
/** How long to wait before connecting again, at most. Milliseconds. */
const reconnectWithinMs = 500

const prefix = '{svc-sim}:'

/** A directory in Redis or Valkey, shared by all that name the same. It connects by itself, and again, until it is closed. */
export function redisDirectory(options: RedisOptions): FleetDirectory {
  const { run, close } = connect(options)
  const find = async (by: 'id' | 'key', value: string) => {
    const found = (await run('find', [announceEveryMs, by, value])) as
      | [string, string | null]
      | 'unknown yet'
      | null
    if (!found) return undefined
    if (found === 'unknown yet') throw new NotAnnouncedYet()
    const lease = JSON.parse(found[0]) as FleetLease
    return { ...lease, ...(found[1] !== null && { lost: found[1] }) }
  }
  return {
    async announce({ id, url, warm, room }, forMs) {
      const args = [announceEveryMs, id, url, warm, room, forMs]
      return (await run('announce', args)) as 'known' | 'new' | 'lost'
    },
    async place(except = []) {
      const found = (await run('place', except)) as [string, string] | null
      return found ? { id: found[0], url: found[1] } : undefined
    },
    async workers() {
      const all = (await run('workers', [])) as string[]
      return Array.from({ length: all.length / 4 }, (_, i) => {
        const [id, url, warm, room] = all.slice(i * 4) as [string, string, string, string]
        return { id, url, warm: Number(warm), room: Number(room) }
      })
    },
    async giveUp(workerId, reason) {
      await run('giveUp', [workerId, reason, rememberedMs])
    },
    async put(lease, forMs) {
      const { id, keyHash, worker } = lease
      const args = [worker.id, id, keyHash, JSON.stringify(lease), Math.ceil(forMs)]
      return (await run('put', args)) === 1
    },
    async remove({ id, keyHash }) {
      await run('remove', [id, keyHash])
    },
    ofId: (id) => find('id', id),
    ofKeyHash: (keyHash) => find('key', keyHash),
    close,
  }
}

/** A connection that comes back by itself, and runs scripts by their hashes. */
function connect({ url, onReached, onUnreached }: RedisOptions) {
  let isReached: boolean | undefined
  /** Why it is not. */
  let trouble: string | undefined
  const client = new Redis(url, {
    // What cannot be asked now is not asked later, when it may not be true any more.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    // One that is silent is left, for it may be another that answers at its place.
    socketTimeout: 3 * answerWithinMs,
    retryStrategy: (times) => Math.min(50 * times, reconnectWithinMs),
    scripts: Object.fromEntries(
      Object.entries(scripts).map(([name, lua]) => [name, { lua, numberOfKeys: 0 }]),
    ),
  })
  const commands = client as unknown as Record<string, (...args: string[]) => Promise<unknown>>
  client.on('ready', () => {
    isReached = true
    trouble = undefined
    onReached?.()
  })
  const lose = (reason: string): void => {
    trouble = reason
    if (isReached === false) return
    isReached = false
    onUnreached?.(reason)
  }
  client.on('error', (error: NodeJS.ErrnoException) => lose(error.message || String(error.code)))
  client.on('close', () => lose(trouble ?? 'the connection has ended'))
  return {
    async run(script: keyof typeof scripts, args: readonly (string | number)[]): Promise<unknown> {
      try {
        return await commands[script]!(prefix, ...args.map(String))
      } catch (error) {
        throw new DirectoryError(
          `The directory of worlds cannot be asked: ${trouble ?? (error as Error).message}`,
          { cause: error },
        )
      }
    },
    async close() {
      isReached = false // by our own will
      client.disconnect()
    },
  }
}
