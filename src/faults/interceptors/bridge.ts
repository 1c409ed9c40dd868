import type { AddressBook } from '../../deployments/addressBook.js'
import { addressOf, depositKey } from '../../service/bridge/deposit.js'
import type { RelayerParts } from '../../service/bridge/relayer.js'
import { inScope } from '../../service/context/requestContext.js'
import type { Store } from '../../service/store/store.js'
import type { FaultSeams } from '../engine/seams.js'
import type { ExecutingAccounts } from './plans.js'

/** The seam `bridge`, as the relayer takes it. Plans bridge their own wallet's money, so the wallet tells the account. */
export function bridgeFaults(
  faults: FaultSeams,
  { store, book, callers }: { store: Store; book: AddressBook; callers: ExecutingAccounts },
): NonNullable<RelayerParts['intercept']> {
  return async (service, proceed) => {
    if (!faults.hasRules) return proceed()
    const { deposit } = service
    const token = addressOf(deposit.relayData.inputToken)
    const accounts = await store.accountsOfWallet(addressOf(deposit.relayData.depositor))
    const facts = {
      account_id: accounts.map(({ accountId }) => accountId),
      network: [deposit.from, deposit.to],
      asset: book.on(deposit.from).tokens.find(({ address }) => address === token)?.symbol ?? token,
    }
    const call = Object.assign(service, { facts, key: depositKey(deposit) })
    const intercept = () => faults.intercept('bridge', call, proceed)
    const caller = accounts.map(({ accountId }) => callers.get(accountId)).find((scope) => scope)
    return caller ? inScope(caller, intercept) : intercept()
  }
}
