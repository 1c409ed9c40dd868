import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import type { AnswerCache } from './answerCache.js'

/** What a bundle says about unrecorded accounts, stored with its answers. */
export interface AccountKnowledge {
  /** The slots in which contracts keep data about an account. */
  paths: readonly SlotPath[]
  /** Addresses, in lower case, that are assumed to be empty; `signers` for the signers of all sub-accounts, even recorded ones. */
  assumedEmpty: readonly string[]
}

const key = 'accounts 1'

/** Empty when none was recorded. */
export function accountKnowledge(cache: Pick<AnswerCache, 'get'>): AccountKnowledge {
  const text = cache.get(key)
  return typeof text === 'string' ? JSON.parse(text) : { paths: [], assumedEmpty: [] }
}

/** The knowledge as an entry among the answers of a network. */
export function knowledgeEntry(knowledge: AccountKnowledge): [key: string, value: string] {
  return [key, JSON.stringify(knowledge)]
}

/**
 * Knows accounts that do not exist on the network at its block, so that contracts have no data about them either.
 *
 * @param isRecorded Whether the account (lower case) was read from the network and exists there.
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
  /** Call it only when the answers are loaded. */
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
     * Announces a sub-account: its wallet is empty, and so is its signer unless recorded. An unrecorded signer is nearly always a new key, and
     * could not be used otherwise.
     */
    announce(wallet: string, signer: string): void {
      announced.push({ wallet, signer })
    },
    has(address: string): boolean {
      known()
      return accounts.has(address)
    },
    /** Whether the slot is of an empty account, or holds data about one. All in lower case. */
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
 * How the storage slot of a contract's data about an account is computed. `steps` are the preimages of successive hashes, in hex without
 * `0x`: `{a}` is the account's 40 digits, `{2+1}` is the hash of step 2 plus 1, as a word. The slot is the last hash plus `plus`.
 */
export interface SlotPath {
  contract: Address
  steps: readonly string[]
  plus: number
}

/** The largest offset of data from a hash. No known struct or array is larger. */
const maxPlus = 1_024n

/** The slot of an account. Lower case. */
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

/** Equal paths have equal texts. */
export function pathText({ contract, steps, plus }: SlotPath): string {
  return [contract, ...steps, plus].join(' ')
}

/** The hashes and storage accesses of a call, in order: `k` and the preimage, or `s`, the contract and the slot. */
export type SlotTrace = readonly string[]

/** A tracer for `debug_traceCall` and `debug_traceTransaction` that returns a `SlotTrace`. */
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

/** A hash that depends on the account, with its steps. */
interface Dependent {
  hash: bigint
  steps: readonly string[]
}

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

/** The steps of a preimage's hash; undefined when it does not depend on the account. */
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
        // Its steps come first, with new numbers.
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

/** The dependent hash closest below the word. */
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
