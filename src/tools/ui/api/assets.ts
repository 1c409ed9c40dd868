import { effect, signal } from '@preact/signals'
import type { Schemas } from '../../../clients/client/types.js'
import { connection } from './live.js'
import { answered, serviceApi } from './session.js'

/** Every asset by its symbol; empty until they are loaded. All worlds have the same ones. */
export const assets = signal<Readonly<Record<string, Schemas['Asset']>>>({})

effect(() => {
  if (connection.value !== 'live' || Object.keys(assets.peek()).length > 0) return
  answered(serviceApi.GET('/assets')).then(
    (loaded) => {
      assets.value = loaded.assets
    },
    // Asked for again after the next break.
    () => {},
  )
})

export function assetsOn(network: string | undefined): string[] {
  return Object.entries(assets.value).flatMap(([symbol, { networks }]) =>
    network === undefined || network in networks ? [symbol] : [],
  )
}

export function symbolAt(network: string, address: string): string | undefined {
  return Object.entries(assets.value).find(
    ([, { networks }]) => networks[network]?.address === address.toLowerCase(),
  )?.[0]
}
