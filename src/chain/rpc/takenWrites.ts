import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { AskNode } from './rpc.js'

interface Account {
  balance?: Hex
  nonce?: number | Hex
  code?: Hex
  storage?: Record<Hex, Hex>
}

/** What a transaction has changed, as `prestateTracer` reports it; zero values are omitted. */
interface Change {
  pre: Record<Address, Account>
  post: Record<Address, Account>
}

/** Storage slots and newly created accounts, as they were before the blocks whose transactions wrote them. */
interface PriorState {
  slots: ReadonlyMap<string, { address: Address; slot: Hex; value: Hex }>
  created: ReadonlyMap<Address, Account>
}

const word = (value: Hex | undefined): Hex => toHex(BigInt(value ?? 0), { size: 32 })

/** Reads what the last `depth` blocks (at least 1) have overwritten. Call it before they are taken back. */
export async function readPriorState(ask: AskNode, depth: number): Promise<PriorState> {
  const latest = Number(await ask<Hex>('eth_blockNumber'))
  const slots = new Map<string, { address: Address; slot: Hex; value: Hex }>()
  const created = new Map<Address, Account>()
  for (let number = latest - depth + 1; number <= latest; number++) {
    const block = await ask<{ transactions: Hex[] } | null>(
      ...(['eth_getBlockByNumber', toHex(number), false] as const),
    )
    for (const hash of block?.transactions ?? []) {
      const tracing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      const { pre, post } = await ask<Change>('debug_traceTransaction', hash, tracing)
      for (const [address, after] of Object.entries(post) as [Address, Account][]) {
        const before = pre[address]
        if (after.code && !before?.code && !created.has(address)) created.set(address, before ?? {})
        for (const slot of Object.keys({ ...before?.storage, ...after.storage }) as Hex[]) {
          const key = `${address} ${word(slot)}`
          const value = word(before?.storage?.[slot])
          if (!slots.has(key)) slots.set(key, { address, slot: word(slot), value })
        }
      }
    }
  }
  return { slots, created }
}

/**
 * Restores what a forked node (anvil 1.7.1) leaves behind when it takes blocks back: accounts and slots that it first wrote in these
 * blocks keep their new values, because the earlier state does not list them.
 */
export async function putBack(ask: AskNode, { slots, created }: PriorState): Promise<void> {
  for (const [address, { balance, nonce }] of created) {
    if ((await ask<Hex>('eth_getCode', address, 'latest')) === '0x') continue
    await ask('anvil_setCode', address, '0x')
    await ask('anvil_setNonce', address, toHex(BigInt(nonce ?? 0)))
    await ask('anvil_setBalance', address, balance ?? '0x0')
  }
  for (const { address, slot, value } of slots.values())
    if (word(await ask<Hex>('eth_getStorageAt', address, slot, 'latest')) !== value)
      await ask('anvil_setStorageAt', address, slot, value)
}
