import type { ChangeOf } from './effect.js'

/** A change of a chain that is taken back. */
interface Change extends ChangeOf {
  /** How, once it is made. */
  undo: Promise<() => Promise<void>>
}

/** What a rule has changed, by its name. */
export type Changes = Map<string, Change>

/** Does the work unless the rule has done it already. */
export async function makeChange(
  changes: Changes,
  of: ChangeOf,
  work: () => Change['undo'],
): Promise<void> {
  const { name } = of
  const change = changes.get(name) ?? { ...of, undo: work() }
  changes.set(name, change)
  try {
    await change.undo
  } catch (error) {
    if (changes.get(name) === change) changes.delete(name)
    throw error
  }
}

/** Takes back what a rule has changed, the last first; but for what it has changed jointly with rules that stay: to these it goes over. */
export async function takeBack(changes: Changes, staying: readonly Changes[]): Promise<void> {
  const all = [...changes.values()]
  changes.clear()
  for (const change of all.reverse()) {
    const { name, isJoint } = change
    const heir = isJoint && staying.find((other) => other.has(name))
    if (heir) heir.set(name, joined(change, heir.get(name)!))
    else await (await change.undo)()
  }
}

/** Two changes as one. One that does not succeed, which whoever made it is told, has nothing to take back. */
function joined(first: Change, second: Change): Change {
  const nothing = () => async () => {}
  const both = async () => {
    const undos = [await second.undo.catch(nothing), await first.undo.catch(nothing)]
    return async () => {
      for (const undo of undos) await undo()
    }
  }
  return { ...first, undo: both() }
}
