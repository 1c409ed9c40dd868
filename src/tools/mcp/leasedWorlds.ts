import { ToolError } from './toolError.js'

/** The worlds that a session leased, and which of them it is in. */
export interface LeasedWorlds {
  /** The world that the session is in; undefined in the first, which is not leased. */
  current(): { id: string; apiKey: string } | undefined
  /** Goes to a world that has just been leased. */
  enterLeased(id: string, apiKey: string): void
  /** Goes to a world that was leased here, or to the first. Throws which there are. */
  enter(id: string | undefined): void
  /** A world is not there any more; whoever was in it is in the first again. */
  forget(id: string): void
}

export function createLeasedWorlds(): LeasedWorlds & { clear(): void } {
  const keys = new Map<string, string>()
  let entered: string | undefined
  return {
    current() {
      const apiKey = entered === undefined ? undefined : keys.get(entered)
      return entered === undefined || apiKey === undefined ? undefined : { id: entered, apiKey }
    },
    enterLeased(id, apiKey) {
      keys.set(id, apiKey)
      entered = id
    },
    enter(id) {
      if (id !== undefined && !keys.has(id)) throw unknownWorld(id, [...keys.keys()])
      entered = id
    },
    forget(id) {
      keys.delete(id)
      if (entered === id) entered = undefined
    },
    clear() {
      keys.clear()
      entered = undefined
    },
  }
}

function unknownWorld(id: string, leased: readonly string[]): ToolError {
  const there = leased.join(', ') || 'none'
  return new ToolError(
    `No world ${id} was leased here. Leased worlds: ${there}. Lease one with worlds, action lease.`,
  )
}
