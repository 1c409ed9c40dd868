import type { Address, Hex } from 'viem'
import { takesFee } from '../../../chain/funds/transferFee.js'
import type { Node } from '../../../chain/rpc/node.js'
import type { TypedDigest } from '../../../chain/wallet/digest.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { planDetails, planDigest } from '../assembly/details.js'
import type { PlanDetails } from '../model/planDetails.js'
import { type Assembled, type PlanRequest, type PlanSources, withinTimeout } from './assemble.js'
import { balanceChangesOf } from './balanceChanges.js'
import { conflictOf } from './conflicts.js'
import { arrivalsOn, simulatePlan } from './simulate.js'

/** What a client signs. */
export interface Signing {
  digest: TypedDigest
  details: PlanDetails
}

/** What it takes to approve of a plan. */
export interface ApproveParts extends PlanSources {
  /** Networks whose tokens are their makers' own. */
  forked?: { has(network: NetworkName): boolean }
}

/**
 * Runs the operations of a plan on the nodes, and makes what the client signs meanwhile.
 *
 * @throws `plan_failed` when an operation would revert or cannot be sent, or when the plan and what is under way need the same.
 */
export async function approve(
  parts: ApproveParts,
  { kind, intent, account, known }: PlanRequest,
  built: Assembled,
): Promise<Signing> {
  const wallet = account.walletAddress
  const { planned } = built
  const simulating = Promise.all([
    simulatePlan(parts, wallet, planned),
    conflictOf(parts, account, planned, known.underWay),
    feeTaken(parts, wallet, built),
    undeployable(parts, wallet, built),
  ])
  // Hashing goes on while the nodes run the operations.
  const digest = planDigest(
    planned.map((item) => item.operation),
    wallet,
  )
  const details = planDetails(planned, {
    wallet,
    digest,
    digestOnly: kind.digestOnly ?? false,
    book: parts.book,
  })
  const [outcomes, broken, fee, obstacle] = await withinTimeout(simulating, parts.readTimeoutMs)
  if (obstacle !== undefined)
    throw new ServiceError('plan_failed', obstacle, {
      hint: 'execute a plan on a network before you impersonate the wallet there; anvil_setNonce to 0x0 over /rpc, a restore or a reset lets it be deployed again',
    })
  if (fee !== undefined) throw new ServiceError('plan_failed', fee)
  for (const outcome of outcomes)
    if (outcome) {
      const why = kind.explain?.(outcome, intent, parts.book)
      const text = `the plan would revert: ${outcome.reason}${why ? `: ${why}` : ''}`
      throw new ServiceError('plan_failed', text, {
        hint: `simulated on chain before it was returned; reverted with ${outcome.reason}`,
      })
    }
  if (broken !== undefined)
    throw new ServiceError('plan_failed', broken, {
      hint: 'wait for that activity to end, or request less',
    })
  return { digest, details }
}

/**
 * Why a wallet cannot be deployed where the plan needs it, or undefined. No contract can come to an address that has sent a transaction
 * (EIP-7610): of a wallet's that can be done by impersonating it over JSON-RPC, before its first plan there.
 */
async function undeployable(
  { nodes }: ApproveParts,
  wallet: Address,
  { planned, states }: Assembled,
): Promise<string | undefined> {
  const networks = [...new Set(planned.map(({ operation }) => operation.network))]
  const reasons = await Promise.all(
    networks
      .filter((network) => !states.get(network)?.isDeployed)
      .map((network) => reasonOn(nodes.get(network), wallet)),
  )
  return reasons.find((reason) => reason !== undefined)
}

async function reasonOn({ network, rpc }: Node, wallet: Address): Promise<string | undefined> {
  const nonce = Number(await rpc.request<Hex>('eth_getTransactionCount', [wallet, 'pending']))
  if (nonce === 0) return undefined
  return `the wallet cannot be deployed on ${network}: its address has sent ${nonce} transaction${nonce === 1 ? '' : 's'} there before it was`
}

/**
 * Why a plan cannot keep what it says: a token of it takes a fee of what is transferred. Undefined when none does. Only tokens of
 * forked networks may: those of the offline world take none.
 */
async function feeTaken(
  parts: ApproveParts,
  wallet: Address,
  built: Assembled,
): Promise<string | undefined> {
  const networks = [...built.states.keys()].filter((network) => parts.forked?.has(network))
  const tokens = networks.flatMap((network) =>
    [...tokensOn(parts, wallet, network, built)].map((address) => ({ network, address })),
  )
  const fees = await Promise.all(
    tokens.map(({ network, address }) => takesFee(parts.nodes.get(network), address)),
  )
  const taken = tokens[fees.indexOf(true)]
  if (!taken) return undefined
  const { network, address } = taken
  const { symbol } = parts.book.on(network).tokens.find((token) => token.address === address)!
  return `${symbol} on ${network} takes a transfer fee: less would arrive than the plan says. Use another asset, or set the fee of ${address} to 0 on the fork`
}

/** The tokens that the plan moves on a network. */
function tokensOn(
  { book }: ApproveParts,
  wallet: Address,
  network: NetworkName,
  { planned, spends, states }: Assembled,
): Set<Address> {
  const here = planned.filter(({ operation }) => operation.network === network)
  const symbols = [
    ...spends.filter((spend) => spend.network === network).map(({ symbol }) => symbol),
    ...here
      .flatMap(({ context }) => balanceChangesOf(context, states.get(network)!, wallet))
      .filter(({ kind }) => kind === 'token')
      .map(({ symbol }) => symbol),
  ]
  const named = symbols.flatMap((symbol) => book.token(network, symbol) ?? [])
  return new Set([
    ...named.filter(({ native }) => !native).map(({ address }) => address),
    ...arrivalsOn(book, network, planned).map(({ token }) => token),
  ])
}
