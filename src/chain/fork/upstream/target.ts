import { type NetworkName, networkNames } from '../../../deployments/networks.js'

/** The endpoint and block to fork a network from. */
export interface ForkTarget {
  /** HTTP URL of a JSON-RPC endpoint, or several, in the order of preference. Never shown, because they may contain keys. */
  url: string | readonly string[]
  /** The block to fork at; by default the newest one at the start. */
  block?: number
}

/** The forked networks; the others are offline. */
export type ForkTargets = Partial<Record<NetworkName, ForkTarget>>

/** The sources of forked networks. Networks in neither are offline. */
export interface ForkOrigins {
  fork?: ForkTargets | undefined
  /** Folder of a bundle. Missing state is requested from the endpoint in `fork`, and is an error without one. */
  bundle?: string | undefined
}

export function areForked({ fork = {}, bundle }: ForkOrigins): boolean {
  return bundle !== undefined || Object.keys(fork).length > 0
}

export interface ForkLimits {
  /** Folder that caches answers for later starts, or `none`; by default in the user's cache folder. */
  forkCache?: string | undefined
  /** The most requests to all endpoints together, with retries. */
  forkMaxRequests?: number | undefined
  /** Addresses that are assumed to be empty on networks without an endpoint; `signers` for the signers of all sub-accounts. */
  assumeEmpty?: readonly string[] | undefined
}

/** Parses `NET=URL[,URL...][@BLOCK]`. Errors do not repeat the text, which may contain a key. */
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

/** Splits a list of forks at commas that are followed by `NET=`. */
export function splitForks(text: string): string[] {
  const next = new RegExp(`,\\s*(?=(?:${networkNames.join('|')})=)`)
  return text.split(next).map((part) => part.trim())
}

export function urlsOf({ url }: ForkTarget): readonly string[] {
  return typeof url === 'string' ? [url] : url
}

/** Undefined when the target can be used. */
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
  // An "@" before the host belongs to a user name; after it, it must be meant for a block.
  if (`${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
    return 'the part after the last "@" must be a block number in decimal digits'
  return undefined
}

/** The part of a URL that may be shown: the host without long labels with a digit, which may be keys. */
export function hostOf(url: string): string {
  return new URL(url).host.replace(/[^.:]{16,}/g, (label) => (/\d/.test(label) ? '…' : label))
}
