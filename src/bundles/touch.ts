import type { Address, Hex } from 'viem'
import { loadAddressBook } from '../chain/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../chain/deployments/networks.js'
import type { Simulator } from '../sim.js'
import { bridged, giftOf, rewardSteps, type Step, stepsOn } from './steps.js'

/** Accepts every signature (EIP-1271). It stands at the signer's address in the simulator that records, and nowhere else. */
const yesCode: Hex = '0x631626ba7e60e01b60005260206000f3'
/** Well formed; whose it is does not matter there. */
const anySignature = `0x${'11'.repeat(64)}1b`

/** A day: enough for rewards to be owed. */
const laterSeconds = 86_400

/** Says of what it could not read why. */
type Remark = (text: string) => void

/**
 * Has an account do with the forked networks everything that plans can do, so that all that this reads is read and kept. Its signer is not
 * asked. Rejects when a network does not answer; what is refused for another reason is remarked on.
 */
export async function touch(simulator: Simulator, signer: Address, remark: Remark): Promise<void> {
  const client = clientOf(simulator)
  const account = await client.openAccount(signer)
  const book = loadAddressBook(simulator.forks)
  const forked = [...simulator.forks.keys()]
  for (const network of forked) await client.rpc(network, 'anvil_setCode', [signer, yesCode])
  await client.read(`${account}/folio`)
  const run = async (of: string, { path, body }: Step): Promise<void> => {
    const refusal = await client.run(account, path, body)
    if (refusal) remark(`${of}: no ${path} (${assetsIn(body)}): ${refusal}`)
  }
  const give = async (network: NetworkName, asset: string, amount: bigint): Promise<void> => {
    const gift = { account_id: idOf(account), asset, network, amount: amount.toString() }
    const refusal = await client.fund(gift)
    if (refusal) remark(`${network}: ${refusal}`)
  }
  /** The account has nearly nothing where it is to arrive. */
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
    for (const token of book.on(network).tokens) await give(network, token.symbol, giftOf(token))
    for (const step of stepsOn(book.on(network), signer)) await run(network, step)
  }
  for (const isSupplied of [true, false]) {
    await client.control('/clock/advance', { seconds: laterSeconds })
    for (const network of forked)
      for (const step of rewardSteps(book.on(network), { isSupplied })) await run(network, step)
  }
  await client.read(`${account}/folio`)
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

function idOf(account: string): string {
  return account.slice('/accounts/'.length)
}

interface Answer {
  status: number
  body: Record<string, unknown> & { message?: string }
}

/** The service and the control API of a simulator, for what is recorded. */
function clientOf({ url, apiKey, controlUrl, rpc }: Simulator) {
  const ask = async (target: string, given?: unknown): Promise<Answer> => {
    const response = await fetch(target, {
      ...(given === undefined ? {} : { method: 'POST', body: JSON.stringify(given) }),
      headers: {
        'content-type': 'application/json',
        ...(target.startsWith(controlUrl) ? {} : { authorization: `Bearer ${apiKey}` }),
      },
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  const well = ({ status, body }: Answer): Answer['body'] => {
    if (status < 300) return body
    throw new Error(body.message ?? `HTTP ${status}`)
  }
  /** Why it was refused; what could not be read is no refusal. */
  const refusalOf = (answer: Answer): string | undefined => {
    if (answer.status !== 400 && answer.status !== 422) well(answer)
    return answer.status < 300 ? undefined : answer.body.message
  }
  const follow = async (account: string, activity: string): Promise<string> => {
    for (let cursor = 0; ; ) {
      const { activity_status } = well(await ask(`${url}/activities/${activity}`))
      if (activity_status !== 'pending') return String(activity_status)
      const page = well(await ask(`${url}${account}/events?since=${cursor}&poll=true`))
      cursor = Number(page.cursor)
    }
  }
  return {
    async openAccount(signer: Address): Promise<string> {
      const body = { signer_type: 'eoa', signer_address: signer }
      return `/accounts/${well(await ask(`${url}/accounts`, body)).account_id}`
    },
    read: async (path: string) => well(await ask(`${url}${path}`)),
    control: async (path: string, body: object) => well(await ask(`${controlUrl}${path}`, body)),
    fund: async (gift: object) => refusalOf(await ask(`${controlUrl}/fund`, gift)),
    async rpc(network: keyof typeof rpc, method: string, params: unknown[]) {
      const { error } = well(await ask(rpc[network], { jsonrpc: '2.0', id: 1, method, params }))
      if (error) throw new Error(`${network}: ${method}: ${JSON.stringify(error)}`)
    },
    /** Plans, executes and follows; resolves to why not. */
    async run(account: string, path: string, intent: object): Promise<string | undefined> {
      const planned = await ask(`${url}${account}/plan/${path}`, intent)
      const refusal = refusalOf(planned)
      if (refusal) return refusal
      const { plan_id } = planned.body
      const order = { plan_id, signature: anySignature }
      const { activity_id } = well(await ask(`${url}${account}/plan/execute`, order))
      const status = await follow(account, String(activity_id))
      return status === 'confirmed' ? undefined : `it is ${status}`
    },
  }
}
