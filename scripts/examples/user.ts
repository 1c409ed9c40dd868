import { privateKeyToAddress, sign } from 'viem/accounts'
import type { SimulatorHandle } from '../../src/index.js'
import { type Answer, bearer, send } from './recorder.js'

/** A client of a simulator with an account of its own. Requests that fail end the recording. */

export type User = Awaited<ReturnType<typeof openUser>>

/** `digit` makes the key of its signer; `create` creates the account in another way than by asking. */
export async function openUser(
  sim: SimulatorHandle,
  digit: number,
  create?: (body: object) => Promise<Answer['body']>,
) {
  const privateKey = `0x${String(digit).repeat(64)}` as const
  const signer_address = privateKeyToAddress(privateKey).toLowerCase()
  const post = async (path: string, body: unknown): Promise<Answer['body']> => {
    const headers = bearer(sim.apiKey)
    const answer = await send(sim.url, { method: 'post', path, body, headers })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const body = { signer_type: 'eoa', signer_address }
  const account = await (create ? create(body) : post('/accounts', body))
  const id: string = account.account_id
  const at = `/accounts/${id}/plan`
  const signed = async ({ plan_id, details }: Answer['body']) => {
    const hash = details.eip712_data.digest
    return { plan_id, signature: await sign({ hash, privateKey, to: 'hex' }) }
  }
  return {
    id,
    wallet: account.svc_wallet_address as string,
    signer_address,
    post,
    signed,
    plan: (kind: string, body: unknown) => post(`${at}/${kind}`, body),
    /** Creates a plan, executes it, and lets it confirm. */
    async run(kind: string, body: unknown): Promise<void> {
      await post(`${at}/execute`, await signed(await post(`${at}/${kind}`, body)))
      await sim.clock.advance(60)
    },
    fund: (amount: string, asset = 'USDC') =>
      post('/_sim/fund', { account_id: id, network: 'base', asset, amount }),
    /** Works while a fault rule is in force. */
    async whileFault<T>(rule: object, work: () => Promise<T>): Promise<T> {
      const { id: added } = await sim.faults.add(rule as never)
      return work().finally(() => sim.faults.remove(added))
    },
  }
}
