import { type NetworkName, networkNames } from '../../../deployments/networks.js'

/** Where a network is forked from. */
export interface ForkTarget {
  /**
   * HTTP address of a JSON-RPC endpoint of that network, or several: the next is asked where one fails. They may hold keys: never
   * shown anywhere.
   */
  url: string | readonly string[]
  /** The block to fork at; the newest one at the start when absent. */
  block?: number
}

/** The forked networks; the others are offline. */
export type ForkTargets = Partial<Record<NetworkName, ForkTarget>>

/** The sources of forked networks. Networks in neither are offline. */
export interface ForkOrigins {
  fork?: ForkTargets | undefined
  /** Folder of a bundle. What it lacks is asked of the network's endpoint where `fork` has one, and is an error where not. */
  bundle?: string | undefined
}

/** Whether any network is forked. */
export function areForked({ fork = {}, bundle }: ForkOrigins): boolean {
  return bundle !== undefined || Object.keys(fork).length > 0
}

/** How forks deal with their endpoints. */
export interface ForkLimits {
  /** Folder in which answers are kept for the next start, or `none`; one in the user's cache folder when absent. */
  forkCache?: string | undefined
  /** How many requests all endpoints together may get, retries counted. */
  forkMaxRequests?: number | undefined
  /** Addresses of which networks without an endpoint are taken to have nothing, or `signers` for those of all sub-accounts. */
  assumeEmpty?: readonly string[] | undefined
}

/**
 * Reads `NET=URL[,URL...]` with `@BLOCK` behind it or without. Throws with what is wrong; the text itself may hold a key and is not
 * repeated.
 */
export function parseFork(text: string): ForkTarget & { network: NetworkName } {
  const at = text.indexOf('=')
  const network = networkNames.find((name) => name === text.slice(0, at))
  if (at < 0 || network === undefined)
    throw new Error(
      `it must be a network, "=" and the URL of its RPC endpoint, for example base=https://HOST/PATH or base=https://HOST/PATH@BLOCK; networks: ${networkNames.join(', ')}`,
    )
  const given = /^(.*?)(?:@(\d+))?$/s.exec(text.slice(at + 1))!
  const [, all = '', block] = given
  const urls = all.split(/,(?=https?:)/)
  const url = urls.length === 1 ? urls[0]! : urls
  const target = { url, ...(block === undefined ? {} : { block: Number(block) }) }
  const problem = targetProblem(target)
  if (problem) throw new Error(problem)
  return { network, ...target }
}

/** The items of a list of forks in one text: only a comma before another network begins the next one. */
export function splitForks(text: string): string[] {
  const next = new RegExp(`,\\s*(?=(?:${networkNames.join('|')})=)`)
  return text.split(next).map((part) => part.trim())
}

/** The endpoints of a target, in the order in which they are asked. */
export function urlsOf({ url }: ForkTarget): readonly string[] {
  return typeof url === 'string' ? [url] : url
}

/** The problem of a target; undefined when it can be used. */
export function targetProblem(target: ForkTarget): string | undefined {
  const { url, block } = target
  const urls = Array.isArray(url) ? url : [url]
  if (urls.length === 0) return 'the URL must be given'
  const problem = urls.map(urlProblem).find((each) => each !== undefined)
  if (problem) return problem
  if (block !== undefined && !(Number.isSafeInteger(block) && block >= 0))
    return 'the block must be a whole number, 0 or more'
  return undefined
}

function urlProblem(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return 'the URL must be an http:// or https:// address of a JSON-RPC endpoint'
  // An "@" before the host is a user's; behind it, it can only be meant for a block.
  if (`${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
    return 'the part after the last "@" must be a block number in decimal digits'
  return undefined
}

/**
 * The part of a URL that may be shown: no user, path or query, since keys stand there. Some makers have the key in the host: a
 * long label with a digit is left out too.
 */
export function hostOf(url: string): string {
  return new URL(url).host.replace(/[^.:]{16,}/g, (label) => (/\d/.test(label) ? '…' : label))
}
