import { type Named, play, type Result } from './run.js'
import { createWire, type ScenarioTarget } from './target.js'

/** Plays a scenario against a running simulator of somebody else's, whose world is afterwards what it was before. */
export async function playAsGuest(
  target: ScenarioTarget,
  named: Named,
  onPart?: (where: string) => void,
): Promise<Result> {
  const { clock } = named.scenario.given
  const wire = createWire(target)
  const { id } = await wire.control<{ id: string }>('POST', '/_sim/snapshots', {})
  try {
    // Rules that are armed already are not the scenario's; the restore brings them back.
    await wire.control('DELETE', '/_sim/faults')
    if (clock?.startsWith('frozen')) {
      const at = clock.split('@')[1]
      await wire.control('POST', '/_sim/clock/freeze', at === undefined ? {} : { at })
    } else if (clock?.startsWith('auto')) await wire.control('POST', '/_sim/clock/auto', {})
    return await play(target, named, 'of the running simulator', onPart)
  } finally {
    await wire.control('POST', `/_sim/snapshots/${id}/restore`)
    await wire.control('DELETE', `/_sim/snapshots/${id}`)
  }
}
