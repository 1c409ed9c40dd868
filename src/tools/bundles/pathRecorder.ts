import type { Address, Hex } from 'viem'
import { ownContracts } from '../../chain/fork/install/installContracts.js'
import {
  pathsIn,
  pathText,
  type SlotPath,
  type SlotTrace,
  slotTracer,
} from '../../chain/fork/upstream/slotPaths.js'
import type { Node } from '../../chain/rpc/node.js'
import { createNetworkStateReader } from '../../chain/state/networkState.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { AskNetwork } from './client.js'

/** What a transaction has used: by address, and there by slot. */
type Prestate = Record<string, { storage?: Record<string, unknown> }>

/**
 * Finds out where contracts keep what they know of a wallet, from what it does and from what the service reads of it.
 *
 * @param blocks Where each network is now: what came before is not looked at.
 */
export function createPathRecorder(
  ask: AskNetwork,
  book: AddressBook,
  wallet: Address,
  blocks: ReadonlyMap<NetworkName, number>,
) {
  const looked = new Map(blocks)
  const used = new Set<string>()
  const found = new Map<NetworkName, Map<string, SlotPath>>()
  const add = (network: NetworkName, trace: SlotTrace): void => {
    const paths = found.get(network) ?? new Map<string, SlotPath>()
    found.set(network, paths)
    for (const path of pathsIn(trace, wallet)) paths.set(pathText(path), path)
  }
  /**
   * A trace of all steps takes long, and most transactions use nothing new but the slot of their nonce: that lies in a contract that the
   * simulator has placed there, of which the network is never asked.
   */
  const usesMore = async (network: NetworkName, hash: Hex): Promise<boolean> => {
    const state = (await ask(network, 'debug_traceTransaction', [
      hash,
      { tracer: 'prestateTracer' },
    ])) as Prestate
    const own = new Set<string>(ownContracts(book.on(network)))
    const slots = Object.entries(state).flatMap(([address, { storage = {} }]) =>
      own.has(address) ? [] : Object.keys(storage).map((slot) => `${network} ${address} ${slot}`),
    )
    const before = used.size
    for (const slot of slots) used.add(slot)
    return used.size > before
  }
  const lookAt = async (network: NetworkName, number: number): Promise<void> => {
    const block = (await ask(network, 'eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])) as { transactions: Hex[] }
    for (const hash of block.transactions)
      if (await usesMore(network, hash))
        add(
          network,
          (await ask(network, 'debug_traceTransaction', [
            hash,
            { tracer: slotTracer },
          ])) as SlotTrace,
        )
  }
  return {
    /** Looks at the blocks that have come since. */
    async look(): Promise<void> {
      for (const [network, last] of looked) {
        const now = Number(await ask(network, 'eth_blockNumber', []))
        for (let number = last + 1; number <= now; number++) await lookAt(network, number)
        looked.set(network, now)
      }
    },
    /** Reads of the wallet on a network what the service reads. */
    async read(network: NetworkName): Promise<void> {
      const request = async (method: string, params: readonly unknown[] = []) => {
        if (method === 'eth_call') {
          const [call] = params
          add(
            network,
            (await ask(network, 'debug_traceCall', [
              call,
              'latest',
              { tracer: slotTracer },
            ])) as SlotTrace,
          )
        }
        return ask(network, method, [...params])
      }
      const node = { network, rpc: { request } } as unknown as Node
      await createNetworkStateReader(book.on(network)).read(node, wallet)
    },
    /** All that were found, in an order that does not depend on how. */
    pathsOn: (network: NetworkName): SlotPath[] =>
      [...(found.get(network) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path),
  }
}
