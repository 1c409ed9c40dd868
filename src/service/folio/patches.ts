import type { Address, Hex } from 'viem'
import { decodeFunctionData } from 'viem/utils'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import { networkOf } from '../../deployments/networks.js'
import { wrapAbi } from '../../generated/abis.js'
import { contextsOf } from '../plans/assembly/details.js'
import { arrivingAs } from '../plans/assembly/funding.js'
import type { PlannedContext } from '../plans/model/contexts.js'
import { larger } from '../plans/model/fields.js'
import type { Sighting } from '../plans/prepare/assemble.js'
import { type BalanceChange, balanceChangesOf } from '../plans/prepare/balanceChanges.js'
import { arrivalsFor, openFills, openOperations } from '../plans/prepare/progress.js'
import { reservationsOn, withoutReserved } from '../plans/prepare/reservations.js'
import type { ExecutionRecord, OperationRecord } from '../store/store.js'
import { marketPath } from './encodeMorpho.js'
import { folioAmount, folioKey } from './numbers.js'
import type { Folio } from './schema.js'

/** A change of a balance that is under way (service-facts 8.1, 8.3). */
type Patch = Folio['patches'][string][number]

/** Changes that happen together, and the sign that they have. */
export interface Patches extends Pick<Completion, 'kind' | 'id'> {
  patches: Patch[]
}

/**
 * Pending changes of a snapshot's balances by the executions under way: an operation under its nonce until it has run, a fill under its relay
 * hash until it has arrived. Changes that the snapshot has already are left out.
 */
export function patchesOn(
  underWay: readonly ExecutionRecord[],
  sighting: Sighting,
  book: AddressBook,
  wallet: Address,
): Patches[] {
  const { network, done } = sighting
  const networkBook = book.on(network)
  const patched = (effect: BalanceChange): Patch => {
    const decimals = book.token(network, effect.symbol)?.decimals ?? 18
    const [sign, size] = effect.amount < 0n ? ['-', -effect.amount] : ['', effect.amount]
    return {
      target: targetOf(effect, networkBook, wallet),
      delta: `${sign}${folioAmount(size, decimals)}`,
    }
  }
  return underWay.flatMap((execution, i): Patches[] => {
    const contexts = contextsOf(execution.plan)
    const held = (symbol: string) =>
      heldFor(execution, underWay.slice(0, i), sighting, networkBook, symbol)
    const patchOf = (operation: OperationRecord): Patches => {
      const { nonce } = operation
      const context = contexts[execution.plan.operations.findIndex((op) => op.nonce === nonce)]!
      return {
        kind: 'svc_nonce',
        id: nonce,
        patches: balanceChangesOf(asItStands(context, operation, held), sighting, wallet).map(
          patched,
        ),
      }
    }
    const fills = openFills(execution, network).map((item): Patches => {
      const { asset_symbol, output_amount } = item.action_context
      const token = book.token(network, asset_symbol)!
      const { symbol } = arrivingAs(networkBook, token, sighting.isDeployed)
      const effect: BalanceChange = {
        kind: 'token',
        symbol,
        amount: BigInt(output_amount),
      }
      return { kind: 'across_fill', id: item.relay_hash, patches: [patched(effect)] }
    })
    const open = openOperations(execution, network)
    // In the order in which they happen: what waits for a bridge comes behind its fill.
    return [
      ...open.filter(({ contingent }) => !contingent).map(patchOf),
      ...fills,
      ...open.filter(({ contingent }) => contingent).map(patchOf),
    ].filter(({ id, patches }) => patches.length > 0 && !done.has(id as Hex))
  })
}

/**
 * A wrap or an unwrap with the amount that it would turn now. Its script turns what is missing at execution, which differs from the plan when
 * the wallet was deployed or paid in between.
 */
function asItStands(
  context: PlannedContext,
  { scriptCalldata }: OperationRecord,
  held: (symbol: string) => bigint,
): PlannedContext {
  if (context.action_type !== 'WRAP' && context.action_type !== 'UNWRAP') return context
  const [, wanted] = decodeFunctionData({ abi: wrapAbi, data: scriptCalldata }).args
  return { ...context, amount: larger(wanted - held(context.to_asset_symbol), 0n).toString() }
}

/** What an execution will find of a token: what those that began before it leave, and what its own bridges bring in this form. */
function heldFor(
  execution: ExecutionRecord,
  earlier: readonly ExecutionRecord[],
  sighting: Sighting,
  book: NetworkBook,
  symbol: string,
): bigint {
  const left = withoutReserved(sighting, reservationsOn(earlier, sighting, book), book)
  return arrivalsFor(execution, sighting.network, sighting.done)
    .filter((arrival) => {
      const token = book.tokens.find((each) => each.symbol === arrival.symbol)!
      return arrivingAs(book, token, sighting.isDeployed).symbol === symbol
    })
    .reduce((sum, { amount }) => sum + amount, left.balances.get(symbol) ?? 0n)
}

/** The key of the balance that an effect changes; the same as where balances are encoded. */
function targetOf(
  { kind, market = '', symbol }: BalanceChange,
  book: NetworkBook,
  wallet: Address,
): string {
  const net = networkOf(book.network).folioName
  if (kind === 'token') return folioKey('token', net, symbol, wallet)
  const comet = book.comets.find(({ address }) => address === market)
  if (kind === 'supplied') {
    const protocol = comet ? 'comet' : market === book.aave.pool ? 'aave' : 'morpho_vault'
    return folioKey('yield_market', protocol, net, market, symbol, wallet)
  }
  const morpho = book.morpho.markets.find(({ id }) => id === market)
  const path = comet
    ? ['comet', net, market, comet.baseSymbol]
    : marketPath(book.morpho, morpho!, net)
  return kind === 'debt'
    ? folioKey('borrow_market', ...path, wallet)
    : folioKey('borrow_market_collateral', ...path, symbol, wallet)
}

/** A submitted operation or an expected bridge fill, and whether it is through. */
export interface Completion {
  kind: 'svc_nonce' | 'across_fill'
  /** The operation's nonce, or the fill's relay hash. */
  id: string
  through: boolean
}
