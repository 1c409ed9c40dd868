import { computed, signal } from '@preact/signals'
import { newSigner, signPlan } from '../../../clients/client/signer.js'
import type { Schemas } from '../../../clients/client/types.js'
import { keepInTab, kept } from './tabStorage.js'

type Key = `0x${string}`

/** The keys of signers by their address in lower case. Play money: they survive a reload of this tab, and end with it. */
const keys = signal<ReadonlyMap<string, Key>>(new Map(kept<[string, Key][]>('signers') ?? []))

export const newestSigner = computed(() => [...keys.value.keys()].at(-1))

export async function makeSigner(): Promise<{ privateKey: Key; address: Key }> {
  const signer = await newSigner()
  keep(signer)
  return signer
}

export async function takeKey(privateKey: string, signerAddress: string): Promise<void> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw new Error('A private key is 0x and 64 hex digits')
  const signer = await newSigner(privateKey as Key)
  if (signer.address.toLowerCase() !== signerAddress.toLowerCase())
    throw new Error(
      `This is the key of ${signer.address}; the account’s signer is ${signerAddress}`,
    )
  keep(signer)
}

function keep({ privateKey, address }: { privateKey: Key; address: Key }): void {
  keys.value = new Map([...keys.value, [address.toLowerCase(), privateKey]])
  keepInTab('signers', [...keys.value])
}

export function canSign(signerAddress: string): boolean {
  return keys.value.has(signerAddress.toLowerCase())
}

export async function signature(plan: Schemas['Plan'], signerAddress: string): Promise<string> {
  const key = keys.value.get(signerAddress.toLowerCase())
  if (!key) throw new Error(`This tab has no key for ${signerAddress}`)
  return signPlan(plan, key)
}
