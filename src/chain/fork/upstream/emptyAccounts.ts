import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import type { AnswerCache } from './answerCache.js'

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

/**
 * How a storage slot depends on an account: what contracts keep about it lies where the hash of its address leads. `steps` are the
 * preimages in hex without `0x`, one hash after the other: `{a}` stands for the account's 40 digits, `{2+1}` for the word of the hash of step 2
 * plus 1. The slot is the last hash plus `plus`.
 */
export interface SlotPath {
  contract: Address
  steps: readonly string[]
  plus: number
}

/** What an account's own state may lie behind its hash: larger structs and arrays are none that we know. */
const maxPlus = 1_024n

/** The slot to which a path leads for an account. Both in lower case. */
export function slotAt({ steps, plus }: SlotPath, account: Address): Hex {
  const hashes: bigint[] = []
  for (const step of steps) {
    const preimage = step.replace(/\{(?:a|(\d+)\+(\d+))\}/g, (_, index, offset) =>
      index === undefined ? account.slice(2) : wordOf(hashes[Number(index)]! + BigInt(offset)),
    )
    hashes.push(BigInt(keccak256(`0x${preimage}`)))
  }
  return toHex(hashes.at(-1)! + BigInt(plus), { size: 32 })
}

/** A path as text: the same for equal ones. */
export function pathText({ contract, steps, plus }: SlotPath): string {
  return [contract, ...steps, plus].join(' ')
}

/** What a call did that tells of paths, in its order: `k` and the preimage of a hash, or `s`, the contract and the slot that it used. */
export type SlotTrace = readonly string[]

/** For `debug_traceCall` and `debug_traceTransaction`: answers a `SlotTrace`. */
export const slotTracer = `{
  found: [],
  step: function (log) {
    var op = log.op.toNumber()
    if (op === 32) {
      var at = log.stack.peek(0).valueOf()
      this.found.push('k' + toHex(log.memory.slice(at, at + log.stack.peek(1).valueOf())).slice(2))
    } else if (op === 84 || op === 85)
      this.found.push('s' + toHex(log.contract.getAddress()) + log.stack.peek(0).toString(16))
  },
  fault: function () {},
  result: function () { return this.found }
}`

/** A hash that depends on the account, and the steps that lead to it. */
interface Dependent {
  hash: bigint
  steps: readonly string[]
}

/** The paths by which slots of a trace depend on this account. */
export function pathsIn(trace: SlotTrace, account: Address): SlotPath[] {
  const known: Dependent[] = []
  const paths = new Map<string, SlotPath>()
  for (const entry of trace) {
    const text = entry.slice(1)
    if (entry.startsWith('k')) {
      const steps = stepsOf(text, account, known)
      if (steps) known.push({ hash: BigInt(keccak256(`0x${text}`)), steps })
      continue
    }
    const contract = text.slice(0, 42).toLowerCase() as Address
    const before = nearest(known, BigInt(`0x${text.slice(42) || '0'}`))
    if (!before) continue
    const path = { contract, steps: before.dependent.steps, plus: Number(before.plus) }
    paths.set(pathText(path), path)
  }
  return [...paths.values()]
}

/** The steps to the hash of a preimage, when it depends on the account. */
function stepsOf(
  preimage: string,
  account: Address,
  known: readonly Dependent[],
): readonly string[] | undefined {
  const steps: string[] = []
  let last = preimage.replaceAll(account.slice(2).toLowerCase(), '{a}')
  if (preimage.length % 64 === 0)
    last = (preimage.match(/.{64}/g) ?? [])
      .map((word) => {
        const before = nearest(known, BigInt(`0x${word}`))
        if (!before) return word.replaceAll(account.slice(2).toLowerCase(), '{a}')
        // Its steps come first, and their numbers move along.
        const moved = before.dependent.steps.map((step) => renumbered(step, steps.length))
        steps.push(...moved)
        return `{${steps.length - 1}+${before.plus}}`
      })
      .join('')
  return last === preimage ? undefined : [...steps, last]
}

function renumbered(step: string, by: number): string {
  return step.replace(/\{(\d+)\+/g, (_, index) => `{${Number(index) + by}+`)
}

/** The dependent hash that the word is, or lies a little behind. */
function nearest(known: readonly Dependent[], word: bigint) {
  let closest: { dependent: Dependent; plus: bigint } | undefined
  for (const dependent of known) {
    const plus = word - dependent.hash
    if (plus >= 0n && plus < maxPlus && (!closest || plus < closest.plus))
      closest = { dependent, plus }
  }
  return closest
}

function wordOf(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
