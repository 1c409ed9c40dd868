import { readFile } from 'node:fs/promises'
import { removedOnlyHere } from '../../wal/dataFolderError.js'
import { contentAt, type DataLog, type LoggedPart } from '../../wal/dataLog.js'
import type { Recovered } from '../../wal/recover.js'
import type { FaultEngine, Faults, SavedFaults, SavedRule } from './engine.js'

/** Name of the part of a data folder that holds the rules. */
const name = 'faults'

export type PersistedFaults = ReturnType<typeof persistFaults>

/** Rules that survive the end of the process. */
export function persistFaults(engine: FaultEngine, log: DataLog) {
  let ended: SavedFaults | undefined
  const now = engine.saved
  /** A removal that could not be persisted. */
  const stillPersisted = new Set<string>()
  const keep = async (): Promise<void> => {
    await log.append(name, now())
    stillPersisted.clear()
  }
  /** Removes a rule even when that cannot be persisted: a full disk must not keep a fault in force. */
  const keepWithout = async (removed: readonly string[]): Promise<void> => {
    for (const id of removed) stillPersisted.add(id)
    if (stillPersisted.size === 0) return
    await keep().catch((error) => {
      throw removedOnlyHere(error)
    })
  }
  const faults: Faults = {
    ...engine,
    async add(rule) {
      const added = await engine.add(rule)
      await keep().catch(async (error) => {
        await engine.remove(added.id)
        throw error
      })
      return added
    },
    async set(rules) {
      const before = now().rules
      const wanted = await engine.set(rules)
      await keep().catch(async (error) => {
        await engine.clear()
        for (const rule of before) await addAgain(engine, rule)
        throw error
      })
      return wanted
    },
    async remove(id) {
      const wasThere = (await engine.remove(id)) || stillPersisted.has(id)
      if (wasThere) await keepWithout([id])
      return wasThere
    },
    async clear() {
      const removed = engine.list().map(({ id }) => id)
      await engine.clear()
      await keepWithout(removed)
    },
  }
  const part: LoggedPart = {
    name,
    startsQuickly: true,
    content: (mark) => contentAt(mark, () => [JSON.stringify(ended ?? now())]),
  }
  return {
    /** The engine; each change resolves when it is durable, or is reverted and rejects. */
    faults,
    part,
    /** Persists how often the rules have fired, in the background. */
    keepCounts: () => void keep().catch(() => {}),
    /** Releases and reverts everything when the simulator stops; the next start restores the rules. */
    async end() {
      ended = now()
      await engine.clear()
    },
  }
}

/** Adds a rule that has counted already. */
export async function addAgain(engine: FaultEngine, rule: SavedRule): Promise<void> {
  const { seen, hits, earlier_hits = 0, used, ends: _, over: __, met, ...definition } = rule
  const { sequence, after } = definition
  // Folders of earlier versions have no `used`.
  const next = sequence ? (used ?? Math.min(Math.max(seen - after, 0), sequence.length)) : 0
  await engine.add(definition, { seen, hits, earlier_hits, next }, met)
}

/** The faults as the folder was left with them. */
export async function persistedRules({ files, changes }: Recovered): Promise<SavedFaults> {
  const file = files[name]
  const last =
    changes[name]?.at(-1) ?? (file === undefined ? [] : JSON.parse(await readFile(file, 'utf8')))
  // Folders of earlier versions have the rules alone.
  return Array.isArray(last) ? { rules: last } : last
}
