import type { Address } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Simulator } from '../../simulator/sim.js'

/** Well formed; whose it is does not matter where it is recorded. */
const anySignature = `0x${'11'.repeat(64)}1b`

interface Answer {
  status: number
  body: Record<string, unknown> & { message?: string }
}

/** The service and the control API of a simulator, for what is recorded. */
export function clientOf({ url, apiKey, controlUrl, rpc }: Simulator) {
  const ask = async (target: string, given?: unknown, method = 'POST'): Promise<Answer> => {
    const response = await fetch(target, {
      ...(given === undefined ? {} : { method, body: JSON.stringify(given) }),
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
    control: async (path: string, body?: object) => well(await ask(`${controlUrl}${path}`, body)),
    /** Resolves to the assets that have the price now, or to why none has. */
    async movePrice(asset: string, usd: string): Promise<{ moved: string[]; refusal?: string }> {
      const answer = await ask(`${controlUrl}/prices/${asset}`, { usd }, 'PUT')
      const { message = `HTTP ${answer.status}`, moved } = answer.body
      return answer.status < 300 ? { moved: moved as string[] } : { moved: [], refusal: message }
    },
    fund: async (gift: object) => refusalOf(await ask(`${controlUrl}/fund`, gift)),
    grant: async (reward: object) => refusalOf(await ask(`${controlUrl}/rewards`, reward)),
    async rpc(network: NetworkName, method: string, params: unknown[]): Promise<unknown> {
      const request = { jsonrpc: '2.0', id: 1, method, params }
      const { error, result } = well(await ask(rpc[network], request))
      if (error) throw new Error(`${network}: ${method}: ${JSON.stringify(error)}`)
      return result
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
