import { readFileSync } from 'node:fs'
import type { Abi, Address, Hex } from 'viem'
import { packageFile } from '../../lib/files/packageFile.js'

/** A compiled contract as the Solidity build leaves it in `contracts/out/<name>.json`. */
export interface Artifact {
  name: string
  abi: Abi
  /** Creation code without constructor arguments. */
  bytecode: Hex
  /** The code that is left of it once deployed, immutables zero; of our own contracts only. */
  deployedBytecode?: Hex
  /** Where addresses of libraries belong in code that is not linked: file, library, places in bytes. */
  linkReferences?: Record<string, Record<string, { start: number; length: number }[]>>
}

/** One of the simulator's own contracts, at an address that CREATE2 makes the same on every network. */
export interface Deployment {
  name: string
  /** Creation code with constructor arguments. */
  initcode: Hex
  address: Address
  via: 'create2' | 'scriptStore'
}

/** The compiled contract of that name; another maker's as `vendor/<name>`. */
export function artifact(name: string): Artifact {
  return { ...(readOutput(`${name}.json`) as Omit<Artifact, 'name'>), name }
}

/** The simulator's own contracts, in the order in which they have to be deployed. */
export function deployments(): Deployment[] {
  return readOutput('deployments.json') as Deployment[]
}

function readOutput(file: string): unknown {
  const path = packageFile(`contracts/out/${file}`)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(
      `The compiled contract ${path} cannot be read. Run "npm run build:contracts".`,
      { cause },
    )
  }
}
