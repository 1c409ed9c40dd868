import type { Hex } from 'viem'
import type { NetworkState } from '../../chain/state/networkState.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { networkNames, networkOf } from '../../deployments/networks.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { nonceSecret } from '../plans/assembly/nonce.js'
import { type PlanSources, readNetworkStates, readRewards } from '../plans/prepare/assemble.js'
import { executionsOf } from '../plans/prepare/progress.js'
import type { AccountRecord, Store } from '../store/store.js'
import { encodeFolio, encodeState, type FolioExtras } from './encode.js'
import type { Completion } from './patches.js'
import { patchesOn } from './patches.js'
import type { Folio, FolioService } from './service.js'

/** Reads folios: one multicall per network, all networks side by side. Keeps the last one per account for `cached=true`. */
export function createFolioService(
  sources: Pick<PlanSources, 'nodes' | 'reader' | 'rewards' | 'readTimeoutMs'> & {
    book: AddressBook
    store: Store
  },
): FolioService & Stateful<ReadonlyMap<string, Folio>> {
  const cache = new Map<string, Folio>()
  // By the balances: each read has a map of its own, and an answer that was kept has the same again.
  const encoded = new WeakMap<NetworkState['balances'], Folio>()
  const encodeOnce: typeof encodeState = (state, ...given) => {
    const part = encoded.get(state.balances) ?? encodeState(state, ...given)
    encoded.set(state.balances, part)
    return part
  }

  async function fresh(account: AccountRecord): Promise<Folio> {
    const { store, book } = sources
    const wallet = account.walletAddress
    // The records before the chains, which may only be ahead of them.
    const [nonceCounts, activities, underWay] = await Promise.all([
      store.nonceCounts(wallet),
      store.activities(account.accountId),
      executionsOf(store, wallet),
    ])
    const known = { nonceCounts, underWay }
    const states = await readNetworkStates(sources, account, networkNames, known)
    const rewards = await readRewards(sources, account, states)
    const seen = [...states.values()]
    const isDone = (id: Hex): boolean => seen.some(({ done }) => done.has(id))
    const completions = activities.flatMap(({ metadata }) =>
      metadata.flatMap((item): Completion[] => {
        const completion = (kind: Completion['kind'], id: Hex): Completion[] => [
          { kind, id, through: item.success === true || isDone(id) },
        ]
        if (item.svc_operation_nonce !== null)
          return completion('svc_nonce', item.svc_operation_nonce)
        // A refund completes nothing.
        return item.action_type === 'BRIDGE_MINT' ? completion('across_fill', item.relay_hash) : []
      }),
    )
    const extras: FolioExtras = {
      wallet,
      nonceSecret: ({ network, nonceCount }) =>
        nonceSecret(networkOf(network).chainId, wallet, nonceCount),
      completions,
      patches: seen.flatMap((each) => patchesOn(underWay, each, book, wallet)),
      rewards,
    }
    const folio = encodeFolio(seen, book, extras, encodeOnce)
    cache.set(account.accountId, folio)
    return folio
  }

  return {
    async read(account, { cached }) {
      return (cached && cache.get(account.accountId)) || fresh(account)
    },
    save: () => new Map(cache),
    restore(saved) {
      cache.clear()
      for (const [accountId, folio] of saved) cache.set(accountId, folio)
    },
  }
}
