import { ToolError } from './toolError.js'

/** The worlds that a session leased, and which of them it is in. */
export class LeasedWorlds {
  private readonly keys = new Map<string, string>()
  private entered: string | undefined

  /** The world that the session is in; undefined in the first, which is not leased. */
  current(): { id: string; apiKey: string } | undefined {
    const id = this.entered
    const apiKey = id === undefined ? undefined : this.keys.get(id)
    return id === undefined || apiKey === undefined ? undefined : { id, apiKey }
  }

  /** Goes to a world that has just been leased. */
  enterLeased(id: string, apiKey: string): void {
    this.keys.set(id, apiKey)
    this.entered = id
  }

  /** Goes to a world that was leased here, or to the first. Throws which there are. */
  enter(id: string | undefined): void {
    if (id !== undefined && !this.keys.has(id)) {
      const there = [...this.keys.keys()].join(', ') || 'none'
      throw new ToolError(
        `No world ${id} was leased here. Leased worlds: ${there}. Lease one with worlds, action lease.`,
      )
    }
    this.entered = id
  }

  /** A world is not there any more; whoever was in it is in the first again. */
  forget(id: string): void {
    this.keys.delete(id)
    if (this.entered === id) this.entered = undefined
  }

  clear(): void {
    this.keys.clear()
    this.entered = undefined
  }
}
