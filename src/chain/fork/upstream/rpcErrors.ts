/** An error as JSON-RPC has it. */
export interface RpcErrorBody {
  code?: unknown
  message?: unknown
}

/** "Too many requests", and what stands before an endpoint saying that it is away for a moment. */
export const busyStatus: readonly number[] = [429, 502, 503, 504]

/** How providers say that they were asked too often, besides the codes that HTTP and EIP-1474 have for it. */
const busyWords =
  /rate.?limit|too many requests|requests? (?:per|limit)|\/ ?sec(?:ond)?\b|throughput|capacity|quota|compute units|slow down/i

/** Whether the endpoint asks to be asked less. A contract that reverts may say anything, and is not meant. */
export function isBusy({ code, message }: RpcErrorBody): boolean {
  if (code === 429 || code === -32005) return true
  return code !== 3 && !/revert/i.test(textOf(message)) && busyWords.test(textOf(message))
}

/** How nodes say that they have dropped the state of an old block. */
const prunedWords =
  /missing trie node|pruned|archive|historical state|state (?:is|at|for|of)?.{0,80}(?:not |un)available|no state available|distance to target block|old data not available/i

/** Whether the endpoint no longer has the state that was asked for: it keeps no archive. */
export function isPruned({ message }: RpcErrorBody): boolean {
  return prunedWords.test(textOf(message))
}

/** What a provider said, or what stands for it. */
export function textOf(message: unknown): string {
  return typeof message === 'string' && message !== '' ? message : 'no reason given'
}

const word = /^0x[0-9a-f]{64}$/i
const quantity = /^0x[0-9a-f]{1,64}$/i
const bytes = /^0x(?:[0-9a-f]{2})*$/i

/** What the results must be from which figures are made; others are passed on as they are. */
const shapes: Record<string, (result: unknown) => boolean> = {
  eth_blockNumber: isText(quantity),
  eth_chainId: isText(quantity),
  eth_gasPrice: isText(quantity),
  eth_call: isText(bytes),
  eth_getBalance: isText(quantity),
  eth_getTransactionCount: isText(quantity),
  eth_getCode: isText(bytes),
  // Some leave out leading zeros; the node takes both.
  eth_getStorageAt: isText(quantity),
  eth_getAccountInfo: (result) =>
    isText(quantity)(field(result, 'balance')) &&
    isText(quantity)(field(result, 'nonce')) &&
    isText(bytes)(field(result, 'code')),
  eth_getBlockByNumber: isBlock,
  eth_getBlockByHash: isBlock,
}

/** Whether the result of a method can be what was asked for. */
export function canBeAnswer(method: string, result: unknown): boolean {
  return result !== undefined && (shapes[method]?.(result) ?? true)
}

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** A block that is not there is null. */
function isBlock(result: unknown): boolean {
  if (result === null) return true
  return (
    isText(quantity)(field(result, 'number')) &&
    isText(word)(field(result, 'hash')) &&
    isText(quantity)(field(result, 'timestamp')) &&
    isText(quantity)(field(result, 'gasLimit')) &&
    Array.isArray(field(result, 'transactions'))
  )
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
