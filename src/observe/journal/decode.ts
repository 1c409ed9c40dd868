import type { Abi, AbiEvent, AbiFunction, Hex } from 'viem'
import { decodeEventLog, decodeFunctionData, toEventSelector } from 'viem/utils'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import * as abis from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { withTextAmounts } from '../../lib/textAmounts.js'
import type { RecordedNote } from '../../service/context/requestContext.js'

// Loaded when somebody asks why: it reads every ABI there is.

/** The facts of a note, as people read them: operations and logs decoded. */
export function noteDetails(note: RecordedNote, book: AddressBook): Record<string, unknown> {
  const { type: _, ...facts } = note
  return {
    ...facts,
    ...('operations' in note && {
      operations: note.operations?.map(({ network, nonce, scriptAddress, scriptCalldata }) => ({
        network,
        nonce,
        ...decodeCall(scriptAddress, scriptCalldata),
      })),
    }),
    ...('logs' in note && {
      logs: note.logs?.map((log) => decodeLog(log, note.network, book)),
    }),
  }
}

/** Scripts by their address, in lower case. */
export const scriptNames: ReadonlyMap<string, string> = new Map(
  Object.entries(svcAddresses.scripts).map(([name, address]) => [address.toLowerCase(), name]),
)

/** The function that an operation calls. What no ABI knows is shown as it is. */
function decodeCall(script: Hex, calldata: Hex) {
  const name = scriptNames.get(script.toLowerCase())
  const abi = name === undefined ? undefined : (abis as Record<string, unknown>)[`${name}Abi`]
  if (abi) {
    try {
      const { functionName, args } = decodeFunctionData({ abi: abi as Abi, data: calldata })
      return { script: name!, function: functionName, args: withTextAmounts(args ?? []) }
    } catch {}
  }
  return { script: name ?? script, function: calldata.slice(0, 10), args: calldata.slice(10) }
}

/** The items of one type of all ABIs, by selector. Hashing them takes a while, and most simulators decode none: the first call does it. */
export function itemsBySelector<Item extends AbiEvent | AbiFunction>(
  type: Item['type'],
  selectorOf: (item: Item) => Hex,
) {
  const items = new Map<string, Item[]>()
  return (selector: string): readonly Item[] => {
    if (items.size === 0)
      for (const item of (Object.values(abis) as Abi[]).flat() as Item[])
        if (item.type === type) {
          const key = selectorOf(item)
          items.set(key, [...(items.get(key) ?? []), item])
        }
    return items.get(selector) ?? []
  }
}

/** By the first topic: the same event may index other fields elsewhere. */
const eventsOf = itemsBySelector<AbiEvent>('event', toEventSelector)

/** Decodes a log and names its contract. */
export function decodeLog(
  log: { address: Hex; topics: readonly Hex[]; data: Hex },
  network: NetworkName,
  book: AddressBook,
): { contract: string; event: string; args: unknown } {
  const contract = contractName(log.address, network, book)
  for (const item of eventsOf(log.topics[0] ?? '')) {
    try {
      const topics = log.topics as [Hex, ...Hex[]]
      const { eventName, args } = decodeEventLog({ abi: [item], data: log.data, topics })
      return { contract, event: eventName, args: withTextAmounts(args ?? []) }
    } catch {}
  }
  return { contract, event: log.topics[0] ?? 'anonymous', args: log.data }
}

/** The name of an address on a network, or the address itself. */
export function contractName(address: Hex, network: NetworkName, book: AddressBook): string {
  if (!networkNames.includes(network)) return address
  const networkBook = book.on(network)
  const wanted = address.toLowerCase()
  const token = networkBook.tokens.find((each) => each.address === wanted)
  if (token) return token.symbol
  const comet = networkBook.comets.find((each) => each.address === wanted)
  if (comet) return comet.name
  const vault = networkBook.morpho.vaults.find((each) => each.address === wanted)
  if (vault) return vault.name
  const named: Record<string, string | undefined> = {
    [networkBook.spokePool]: 'spoke pool',
    [networkBook.exchange]: 'exchange',
    [networkBook.morpho.morpho]: 'Morpho',
    [networkBook.aave.pool]: 'Aave pool',
    [svcAddresses.nonceManager]: 'nonce manager',
    [svcAddresses.factory]: 'wallet factory',
    [svcAddresses.walletImplementation]: 'wallet implementation',
  }
  return named[wanted] ?? address
}
