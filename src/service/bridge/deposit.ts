import type { Address, Hex } from 'viem'
import { decodeEventLog, encodeAbiParameters, keccak256, toEventSelector } from 'viem/utils'
import type { Log } from '../../chain/rpc/node.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkOf, networks } from '../../deployments/networks.js'
import { iSpokePoolAbi } from '../../generated/abis.js'

/** A deposit into a spoke pool, from its event. Field names and 32-byte padding are the protocol's. */
export interface Deposit {
  from: NetworkName
  to: NetworkName
  /** The transaction that made it, and the block that it is in. */
  hash?: Hex
  block?: Hex
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

const depositTopic = toEventSelector(
  iSpokePoolAbi.find((item) => item.type === 'event' && item.name === 'FundsDeposited')!,
)

/**
 * First topics of deposits' logs. Pools from before accounts had 32 bytes are still on some networks and use the older name;
 * the rest of the log is byte-equal, since an address fills a word too.
 */
export const depositTopics: readonly Hex[] = [
  depositTopic,
  toEventSelector(
    'V3FundsDeposited(address,address,uint256,uint256,uint256,uint32,uint32,uint32,uint32,address,address,address,bytes)',
  ),
]

/** Names a deposit: ids count up per origin network. After blocks were replaced another deposit may have the same. */
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
    .filter(
      (log) => log.address.toLowerCase() === spokePool && depositTopics.includes(log.topics[0]!),
    )
    .flatMap((log) => {
      const { args } = decodeEventLog({
        abi: iSpokePoolAbi,
        eventName: 'FundsDeposited',
        topics: [depositTopic, ...log.topics.slice(1)],
        data: log.data,
      })
      const to = networks.find(({ chainId }) => BigInt(chainId) === args.destinationChainId)
      if (!to) return []
      const { destinationChainId: _, quoteTimestamp: __, ...fields } = args
      const relayData = { ...fields, originChainId: BigInt(networkOf(from).chainId) }
      const { transactionHash: hash, blockHash: block } = log
      const mined = { ...(hash && { hash }), ...(block && { block }) }
      return { deposit: { from, to: to.name, ...mined, relayData }, log }
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

/** Whether both ask for the same fill, whatever their numbers are. */
export function isAlike(one: Deposit, other: Deposit): boolean {
  const unnumbered = (deposit: Deposit): Hex =>
    relayHash({ ...deposit, relayData: { ...deposit.relayData, depositId: 0n } })
  return one.from === other.from && unnumbered(one) === unnumbered(other)
}

/** The address in a 32-byte word. */
export function addressOf(word: Hex): Address {
  return `0x${word.slice(-40)}`
}
