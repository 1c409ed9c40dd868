import { type Address, type Hex, http } from 'viem'
import { toHex } from 'viem/utils'
import { createSvcClient, type SvcClient } from '../../clients/client/client.js'
import { SvcError } from '../../clients/client/svcError.js'
import type { PlanIntent, PlanName } from '../../clients/client/types.js'
import { answerOf, createControl, RefusedError } from '../../clients/control/controlClient.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import type { Simulator } from '../../simulator/sim.js'
import { bridged, giftOf, type PlanTrial, rewardSteps, stepsOn } from './steps.js'

/**
 * Accepts every signature (EIP-1271): `mstore(0, shl(0xe0, 0x1626ba7e)) return(0, 32)` in Yul. Only the simulator that records has it, at
 * the signer's address.
 */
const yesCode: Hex = '0x631626ba7e60e01b60005260206000f3'
/** Precompiles: a call reads their accounts. Here no signature is recovered, so the first one is never called. */
const precompiles = Array.from({ length: 17 }, (_, i) => toHex(i + 1, { size: 20 }))

/** A well-formed signature; the code above accepts any. */
const anySignature = `0x${'11'.repeat(64)}1b`

/** A slow endpoint may take minutes for the first reads, and caches them. A failing quote mostly fails again. */
const patience = { attempts: 10, delayMs: () => 100 }

/** A day: enough for rewards to be owed. */
const laterSeconds = 86_400

const granted = 10n ** 18n

type Remark = (text: string) => void

/**
 * Executes every kind of plan on the forked networks, which records everything that plans read. Needs no signature. Rejects when a network
 * does not answer; passes other refusals to `remark`.
 *
 * @param watch Called after each step, and with a network when all its steps are done.
 */
export async function touch(
  simulator: Simulator,
  signer: Address,
  remark: Remark,
  watch: (done?: NetworkName) => Promise<void> = async () => {},
): Promise<void> {
  const { url: baseUrl, apiKey, controlUrl, clock } = simulator
  const client = createSvcClient({ baseUrl, apiKey, patience })
  const control = createControl(controlUrl, undefined)
  const ask = askNetworks(simulator)
  const { account_id: account } = await client.createAccount(signer)
  const book = loadAddressBook(simulator.forks)
  const { prices } = await answerOf(control.GET('/prices'))
  const forked = [...simulator.forks.keys()]
  // On all networks: bridges go to and from offline ones too.
  for (const network of networkNames) await ask(network, 'anvil_setCode', [signer, yesCode])
  for (const network of forked)
    for (const address of precompiles) await ask(network, 'eth_getBalance', [address, 'latest'])
  await client.folio(account)
  const run = async (of: string, { path, body }: PlanTrial): Promise<void> => {
    const refusal = await whyNotDone(client, account, { path, body })
    if (refusal) remark(`${of}: no ${path} (${assetsIn(body)}): ${refusal}`)
    await watch()
  }
  const give = async (network: NetworkName, asset: string, amount: bigint): Promise<void> => {
    const body = { account_id: account, asset, network, amount: amount.toString() }
    const refusal = await whyRefused(control.POST('/fund', { body }))
    if (refusal) remark(`${network}: ${refusal}`)
  }
  /** Grants rewards of vaults, which no account has earned on a fork. */
  const grant = async (network: NetworkName): Promise<void> => {
    const asset = book.on(network).morphoRewards?.symbol
    if (asset === undefined) return
    const body = { account_id: account, asset, network, amount: `${granted}` }
    const refusal = await whyRefused(control.POST('/rewards', { body }))
    if (refusal) remark(`${network}: no rewards of vaults (${asset}): ${refusal}`)
  }
  /** Bridging needs an account that has nearly nothing on the target network. */
  const bridge = async (from: NetworkName, network: NetworkName): Promise<void> => {
    for (const { asset, amount } of bridged) {
      await give(from, asset, (amount * 11n) / 10n)
      const body = { network, asset, amount: amount.toString(), recipient: signer }
      await run(`${from} to ${network}`, { path: 'transfer', body })
    }
  }
  for (const network of forked) {
    const other = networkNames.find((name) => name !== network)!
    await bridge(other, network)
    await bridge(network, other)
  }
  for (const network of forked) {
    const here = book.on(network)
    for (const token of here.tokens) await give(network, token.symbol, giftOf(token, prices))
    for (const step of stepsOn(here, prices, signer)) await run(network, step)
    await watch(network)
  }
  for (const isSupplied of [true, false]) {
    await clock.advance(laterSeconds)
    for (const network of forked) await grant(network)
    for (const network of forked)
      for (const step of rewardSteps(book.on(network), { isSupplied })) await run(network, step)
  }
  await client.folio(account)
}

/** Resolves to the reason why the activity was not confirmed. */
async function whyNotDone(
  client: SvcClient,
  account: string,
  { path, body }: PlanTrial,
): Promise<string | undefined> {
  const intent = body as PlanIntent<PlanName>
  const work = client.signAndExecute(account, path, intent, () => anySignature)
  const refusal = await whyRefused(work)
  if (refusal) return refusal
  const { execution } = await work
  const { activity_status } = await client.waitForActivity(account, execution.activity_id)
  return activity_status === 'confirmed' ? undefined : `it is ${activity_status}`
}

function assetsIn(body: Record<string, unknown>): string {
  const named = [
    'asset',
    'sell_asset',
    'exposure_asset',
    'collateral_asset',
    'protocol',
    'pool_fee',
  ]
  return named.flatMap((name) => (name in body ? [String(body[name])] : [])).join(', ')
}

export type AskNetwork = (
  network: NetworkName,
  method: string,
  params: unknown[],
) => Promise<unknown>

/** How long a trace may take. Milliseconds. */
export const traceWithinMs = 600_000

export function askNetworks({ rpc }: Simulator): AskNetwork {
  return (network, method, params) =>
    http(rpc[network], { timeout: traceWithinMs, retryCount: 0 })({}).request({ method, params })
}

/** The reason of a refusal (400 or 422). Throws any other failure, since state could not be read then. */
async function whyRefused(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const isAnswer = error instanceof SvcError || error instanceof RefusedError
    if (!isAnswer || ![400, 422].includes(error.status)) throw error
    return error.message
  }
}
