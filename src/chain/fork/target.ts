import { type NetworkName, networkNames } from '../deployments/networks.js'

/** Where a network is forked from. */
export interface ForkTarget {
  /** HTTP address of a JSON-RPC endpoint of that network. It may hold a key: never shown anywhere. */
  url: string
  /** The block to fork at; the newest one at the start when absent. */
  block?: number
}

/** The forked networks; the others are offline. */
export type ForkTargets = Partial<Record<NetworkName, ForkTarget>>

/** Reads `NET=URL` or `NET=URL@BLOCK`. Throws with what is wrong; the text itself may hold a key and is not repeated. */
export function parseFork(text: string): ForkTarget & { network: NetworkName } {
  const at = text.indexOf('=')
  const network = networkNames.find((name) => name === text.slice(0, at))
  if (at < 0 || network === undefined)
    throw new Error(
      `it must be a network, "=" and the URL of its RPC endpoint, for example base=https://HOST/PATH or base=https://HOST/PATH@BLOCK; networks: ${networkNames.join(', ')}`,
    )
  const given = /^(.*?)(?:@(\d+))?$/s.exec(text.slice(at + 1))!
  const [, url = '', block] = given
  const target = { url, ...(block === undefined ? {} : { block: Number(block) }) }
  const problem = targetProblem(target)
  if (problem) throw new Error(problem)
  return { network, ...target }
}

/** What is wrong with a target; undefined when it can be used. */
export function targetProblem({ url, block }: ForkTarget): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return 'the URL must be an http:// or https:// address of a JSON-RPC endpoint'
  // An "@" before the host is a user's; behind it, it can only be meant for a block.
  if (`${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
    return 'what stands behind the last "@" must be a block number in decimal digits'
  if (block !== undefined && !(Number.isSafeInteger(block) && block >= 0))
    return 'the block must be a whole number, 0 or more'
  return undefined
}

/**
 * The part of a URL that may be shown: no user, path or query, since keys stand there. Some makers have the key in the host: a
 * long label with a digit is left out too.
 */
export function hostOf(url: string): string {
  return new URL(url).host.replace(/[^.:]{16,}/g, (label) => (/\d/.test(label) ? '…' : label))
}
