import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { DataFolderError } from '../../../wal/dataFolderError.js'
import type { ForkPin, Manifest } from '../../../wal/manifest.js'
import type { Recovered } from '../../../wal/recover.js'
import type { FolderPart } from './open.js'
import { createRecording, type ForkRecording, recoverRecording } from './recording.js'

/** The forked networks of a data folder. */
export interface FolderForks {
  /** Path of the folder. */
  folder: string
  /** Whether nothing was forked there yet, nor anything else begun. */
  isNew: boolean
  /** Its data of a network; undefined when the network is offline there. */
  of(network: NetworkName): FolderPart | undefined
  /** The recordings of these. */
  recordings(networks: readonly NetworkName[]): ForkRecording[]
}

/** Of a folder that is new: whatever is forked now is forked there. */
export function newForks(folder: string): FolderForks {
  const parts = new Map(
    networkNames.map((network) => [
      network,
      { recording: createRecording(network), pin: undefined },
    ]),
  )
  return forksOf(folder, true, parts)
}

/** Of a folder that was begun: it has the forks that it was begun with. */
export async function recoverForks(
  folder: string,
  forks: Manifest['forks'],
  recovered: Recovered,
): Promise<FolderForks> {
  const parts = new Map<NetworkName, FolderPart>()
  for (const network of networkNames) {
    const pin = forks?.[network]
    if (pin) parts.set(network, { pin, recording: await recoverRecording(network, recovered) })
  }
  return forksOf(folder, false, parts)
}

function forksOf(
  folder: string,
  isNew: boolean,
  parts: ReadonlyMap<NetworkName, FolderPart>,
): FolderForks {
  return {
    folder,
    isNew,
    of: (network) => parts.get(network),
    recordings: (networks) => networks.map((network) => parts.get(network)!.recording),
  }
}

/**
 * Which networks are forked is part of a folder. None asked for is all of them, from what is recorded.
 *
 * @throws `DataFolderError` when others are asked for.
 */
export function expectForks(
  { folder, isNew, of }: FolderForks,
  requested: readonly NetworkName[],
  bundle: ReadonlyMap<NetworkName, ForkPin> | undefined,
): void {
  if (isNew) return
  const refuse = (why: string, cure: string) => {
    throw new DataFolderError(folder, why, cure)
  }
  const added = requested.filter((network) => !of(network))
  if (added.length > 0)
    refuse(
      `${added.join(' and ')} ${added.length > 1 ? 'are' : 'is'} offline in it, and cannot be forked afterwards`,
      `Leave the fork of ${added.join(' and ')} out, or name another --data-dir.`,
    )
  const missing = networkNames.filter((network) => of(network) && !requested.includes(network))
  if (requested.length > 0 && missing.length > 0)
    refuse(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} forked in it too, and this start does not fork ${missing.length > 1 ? 'them' : 'it'}`,
      `Give ${missing.map((network) => `--fork ${network}=URL`).join(' and ')} too; or leave all --fork out, to run from the recorded state.`,
    )
  for (const [network, { block, hash }] of bundle ?? []) {
    const { pin } = of(network)!
    if (pin!.block !== block || pin!.hash !== hash)
      refuse(
        `it has ${network} at block ${pin!.block} (${pin!.hash}), and the bundle at block ${block} (${hash})`,
        'Leave --bundle out, or name another --data-dir.',
      )
  }
}
