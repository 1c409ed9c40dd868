import { rm } from 'node:fs/promises'
import type { SimulatorHandle } from '../../src/index.js'
import { imageOf } from './dataFolders.js'

/** How a simulator on a data folder can end. A sudden end leaves the folder as `kill -9` would at that moment. */
export const ends = ['a clean stop', 'a sudden end'] as const
export type End = (typeof ends)[number]

const images: string[] = []

/** Ends the simulator this way; resolves to the folder to start from. */
export async function endBy(sim: SimulatorHandle, folder: string, end: End): Promise<string> {
  if (end === 'a clean stop') {
    await sim.close()
    return folder
  }
  const image = await imageOf(folder)
  images.push(image)
  await sim.close()
  return image
}

/** Removes the folders that sudden ends have left; for `afterAll`. */
export async function removeImages(): Promise<void> {
  for (const image of images.splice(0)) await rm(image, { recursive: true, force: true })
}
