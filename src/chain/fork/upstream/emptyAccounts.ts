import type { Address } from 'viem'
import type { AnswerCache } from './answerCache.js'
import { type SlotPath, slotAt } from './slotPaths.js'

/** What a bundle knows of accounts that it has not recorded, kept with its answers. */
export interface AccountKnowledge {
  /** Where contracts keep what they know of an account. */
  paths: readonly SlotPath[]
  /** Addresses, in lower case, of which the network is taken to have nothing; `signers` are those of all sub-accounts, also the recorded ones. */
  assumedEmpty: readonly string[]
}

const key = 'accounts 1'

/** What is known; nothing when that was never recorded. */
export function accountKnowledge(cache: Pick<AnswerCache, 'get'>): AccountKnowledge {
  const text = cache.get(key)
  return typeof text === 'string' ? JSON.parse(text) : { paths: [], assumedEmpty: [] }
}

/** The entry that it is among the answers of a network. */
export function knowledgeEntry(knowledge: AccountKnowledge): [key: string, value: string] {
  return [key, JSON.stringify(knowledge)]
}

/**
 * Accounts of which the network has nothing at its block, and so nothing where contracts would keep something about them.
 *
 * @param isRecorded Whether the account was read from the network, which had something there. Both in lower case.
 */
export function createEmptyAccounts(
  cache: Pick<AnswerCache, 'get'>,
  assumed: readonly string[],
  isRecorded: (address: string) => boolean,
) {
  const accounts = new Set<string>()
  const slots = new Set<string>()
  let withoutSlots: string[] = []
  let announced: { wallet: string; signer: string }[] = []
  let knowledge: AccountKnowledge | undefined
  const add = (address: string): void => {
    if (accounts.has(address)) return
    accounts.add(address)
    withoutSlots.push(address)
  }
  /** Not before the answers are there. */
  const known = (): AccountKnowledge => {
    knowledge ??= accountKnowledge(cache)
    const others = [...assumed, ...knowledge.assumedEmpty]
    for (const address of others) if (address !== 'signers') add(address.toLowerCase())
    for (const { wallet, signer } of announced) {
      add(wallet)
      if (others.includes('signers') || !isRecorded(signer)) add(signer)
    }
    announced = []
    return knowledge
  }
  return {
    /**
     * Tells of a sub-account: its wallet is one of them, and its signer unless that was recorded. A signer that nobody named is a new key in all
     * but the rarest cases, and without this it could sign nothing here.
     */
    announce(wallet: string, signer: string): void {
      announced.push({ wallet, signer })
    },
    has(address: string): boolean {
      known()
      return accounts.has(address)
    },
    /** Whether the slot belongs to one of them, by itself or by a path. All in lower case. */
    hasSlot(address: string, slot: string): boolean {
      const { paths } = known()
      for (const account of withoutSlots)
        for (const path of paths)
          slots.add(`${slotAt(path, account as Address)} of ${path.contract}`)
      withoutSlots = []
      return accounts.has(address) || slots.has(`${slot} of ${address}`)
    },
  }
}
