import type { Hex } from 'viem'
import { keccak256, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { resolve } from './references.js'
import type { Scenario } from './schema.js'
import { describe, type Wire } from './target.js'

export interface Actor {
  id: string
  wallet: string
  signer: string
  key: Hex
}

/** The default key of an account; it belongs to no one. */
function keyOfName(name: string): Hex {
  return keccak256(toHex(`svc-sim scenario account ${name}`))
}

/** Sets prices, accounts and funds. Uses an account that exists already as it is. */
export async function setScene(wire: Wire, { given }: Scenario): Promise<Map<string, Actor>> {
  for (const [asset, usd] of Object.entries(given.prices ?? {}))
    await wire.control('PUT', `/_sim/prices/${encodeURIComponent(asset)}`, { usd: String(usd) })
  const cast = new Map<string, Actor>()
  for (const [name, { signer, funds }] of Object.entries(given.accounts)) {
    const actor = await openAccount(wire, (signer as Hex | undefined) ?? keyOfName(name))
    cast.set(name, actor)
    for (const [network, assets] of Object.entries(funds ?? {}))
      for (const [asset, amount] of Object.entries(assets))
        await wire.control('POST', '/_sim/fund', {
          account_id: actor.id,
          network,
          asset,
          amount: resolve(amount, cast),
        })
  }
  return cast
}

async function openAccount(wire: Wire, key: Hex): Promise<Actor> {
  const signer = privateKeyToAddress(key)
  const created = await wire.send({
    method: 'POST',
    path: '/accounts',
    body: { signer_type: 'eoa', signer_address: signer },
  })
  const account = created.status === 409 ? await accountOf(wire, signer) : created.body
  const actor = actorOf(account, key)
  if (actor) return actor
  throw new Error(`the account of ${signer} could not be opened: ${describe(created)}`)
}

/** The actor of an account as the service returns it; undefined when it has no id or no wallet. */
export function actorOf(account: unknown, key: Hex): Actor | undefined {
  const { account_id: id, svc_wallet_address: wallet } = (account ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof wallet !== 'string') return undefined
  const signer = privateKeyToAddress(key)
  return { id, wallet, signer, key }
}

async function accountOf(wire: Wire, signer: string): Promise<unknown> {
  const { body } = await wire.send({ method: 'GET', path: '/accounts' })
  const { accounts } = body as { accounts: { signer_address: string }[] }
  return accounts.find((each) => each.signer_address.toLowerCase() === signer.toLowerCase())
}
