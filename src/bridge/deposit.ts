import type { Address, Hex } from 'viem'
import { decodeEventLog, encodeAbiParameters, keccak256, toEventSelector } from 'viem/utils'
import type { AddressBook } from '../chain/deployments/addressBook.js'
import { type NetworkName, networkOf, networks } from '../chain/deployments/networks.js'
import type { Log } from '../chain/node/node.js'
import { iSpokePoolAbi } from '../generated/abis.js'

/** A deposit into a spoke pool, as its event tells it. Field names and 32-byte padding of the protocol. */
export interface Deposit {
  from: NetworkName
  to: NetworkName
  /** The transaction that made it. */
  hash?: Hex
  /** What `fillRelay` takes. */
  relayData: {
    depositor: Hex
    recipient: Hex
    exclusiveRelayer: Hex
    inputToken: Hex
    outputToken: Hex
    inputAmount: bigint
    outputAmount: bigint
    originChainId: bigint
    depositId: bigint
    fillDeadline: number
    exclusivityDeadline: number
    message: Hex
  }
}

/** First topic of a deposit's log. */
export const depositTopic = toEventSelector(
  iSpokePoolAbi.find((item) => item.type === 'event' && item.name === 'FundsDeposited')!,
)

/** Identifies a deposit: ids count up per origin network. */
export function depositKey(deposit: Deposit): string {
  return `${deposit.from}/${deposit.relayData.depositId}`
}

/** The deposits among the logs of a network that go to a network we know. */
export function depositsIn(logs: readonly Log[], from: NetworkName, book: AddressBook): Deposit[] {
  return depositLogsIn(logs, from, book).map(({ deposit }) => deposit)
}

/** The same, each with its log. */
export function depositLogsIn(
  logs: readonly Log[],
  from: NetworkName,
  book: AddressBook,
): { deposit: Deposit; log: Log }[] {
  const { spokePool } = book.on(from)
  return logs
    .filter((log) => log.address.toLowerCase() === spokePool && log.topics[0] === depositTopic)
    .flatMap((log) => {
      const { args } = decodeEventLog({
        abi: iSpokePoolAbi,
        eventName: 'FundsDeposited',
        topics: log.topics as [Hex, ...Hex[]],
        data: log.data,
      })
      const to = networks.find(({ chainId }) => BigInt(chainId) === args.destinationChainId)
      if (!to) return []
      const { destinationChainId: _, quoteTimestamp: __, ...fields } = args
      const relayData = { ...fields, originChainId: BigInt(networkOf(from).chainId) }
      const hash = log.transactionHash ? { hash: log.transactionHash } : {}
      return { deposit: { from, to: to.name, ...hash, relayData }, log }
    })
}

/** What identifies a fill on the destination; equal to the spoke pool's `getV3RelayHash` there. */
export function relayHash({ relayData, to }: Deposit): Hex {
  const struct = iSpokePoolAbi.find(
    (item) => item.type === 'function' && item.name === 'getV3RelayHash',
  )!.inputs[0]!
  return keccak256(
    encodeAbiParameters([struct, { type: 'uint256' }] as const, [
      relayData,
      BigInt(networkOf(to).chainId),
    ]),
  )
}

/** The address in a 32-byte word. */
export function addressOf(word: Hex): Address {
  return `0x${word.slice(-40)}`
}
