import type { Address } from 'viem'
import { takesFee } from '../../../chain/funds/transferFee.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { Assembled, PlanSources } from './assemble.js'
import { balanceChangesOf } from './balanceChanges.js'
import { arrivalsOn } from './simulate.js'

/**
 * Why a plan cannot keep what it says: a token of it takes a fee of what is transferred. Undefined when none does. Only tokens of
 * these `forks` may: those of the offline world take none.
 */
export async function feeTaken(
  parts: PlanSources,
  wallet: Address,
  built: Assembled,
  forks: readonly NetworkName[],
): Promise<string | undefined> {
  const tokens = forks.flatMap((network) =>
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
  { book }: PlanSources,
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
