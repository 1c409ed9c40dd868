import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { expect } from 'vitest'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { createClient } from './client.js'

/** A plan answer, as far as tests look at it. */
export interface PlanBody {
  plan_id: string
  expires_at: string
  details: {
    svc_operation_actions: {
      operation: Record<string, unknown> & { nonce: Hex; script_calldata: Hex }
      action: { execution_type: string; action_context: Record<string, unknown> }
    }[]
    steps: { type: string; depends_on: number[] }[]
    eip712_data: { digest: Hex; domain_separator?: Hex; hash_struct?: Hex }
  }
}

/** An activity, as far as tests look at it. */
export interface ActivityBody {
  activity_id: string
  plan_id: string | null
  activity_status: 'pending' | 'confirmed' | 'failed'
  activity_metadata: (Record<string, unknown> & {
    action_type: string
    chain_id: number
    activity_record_type: string
    success: boolean | null
    revert_reason: string | null
    transaction_hash: Hex | null
  })[]
}

/** A simulator of its own, or a world. */
type Place = Pick<SimulatorHandle, 'url' | 'apiKey' | 'fund'>

/** A client of the service with an account of its own: every answer is checked against the OpenAPI document. */
export async function openUser(sim: Place, key: Hex = generatePrivateKey(), apiKey = sim.apiKey) {
  const api = createClient({ url: sim.url, apiKey })
  const signer = privateKeyToAddress(key)
  const created = await api.post('/accounts', { signer_type: 'eoa', signer_address: signer })
  expect(created.status).toBe(201)
  const { account_id: id, svc_wallet_address: wallet } = created.body as {
    account_id: string
    svc_wallet_address: Address
  }
  return userOf({ sim, api, id, key, wallet })
}

/** Plans and executes where the clock is frozen; resolves to the activity's id when all that is due has happened. */
export async function executed(
  sim: SimulatorHandle,
  user: User,
  kind: string,
  body: object,
): Promise<string> {
  const planned = await user.plan(kind, body)
  expect([planned.status, planned.body]).toEqual([201, expect.anything()])
  const execution = await user.execute(planned.body as PlanBody)
  expect(execution.status).toBe(200)
  await sim.clock.advance(0)
  return execution.body.activity_id
}

/** The same user at another simulator that has the account, for example after a restart. */
export function userAt(sim: Place, { id, key, wallet }: Pick<User, 'id' | 'key' | 'wallet'>): User {
  const api = createClient({ url: sim.url, apiKey: sim.apiKey })
  return userOf({ sim, api, id, key, wallet })
}

export type User = ReturnType<typeof userOf>

function userOf({
  sim,
  api,
  id,
  key,
  wallet,
}: {
  sim: Place
  api: ReturnType<typeof createClient>
  id: string
  key: Hex
  wallet: Address
}) {
  const path = `/accounts/${id}`
  const plan = (kind: string, body: unknown) => api.post(`${path}/plan/${kind}`, body)
  const execute = async ({ plan_id, details }: PlanBody, headers: Record<string, string> = {}) => {
    const { digest: hash } = details.eip712_data
    const signature = await sign({ hash, privateKey: key, to: 'hex' })
    return api.post(`${path}/plan/execute`, { plan_id, signature }, { headers })
  }
  /** Waits, by long polls, until the activity is no longer pending. */
  const follow = async (activityId: string): Promise<ActivityBody> => {
    let cursor = 0
    for (;;) {
      const page = await api.get(`${path}/events?since=${cursor}&poll=true`)
      const body = page.body as {
        cursor: number
        events: { data: { activity_id: string; activity_status: string } }[]
      }
      cursor = body.cursor
      const ended = body.events.some(
        ({ data }) => data.activity_id === activityId && data.activity_status !== 'pending',
      )
      if (ended) return (await api.get(`/activities/${activityId}`)).body as ActivityBody
    }
  }
  return {
    api,
    id,
    key,
    path,
    signer: privateKeyToAddress(key),
    wallet,
    plan,
    execute,
    follow,
    fund: (network: NetworkName, asset: string, amount: bigint) =>
      sim.fund({ account_id: id, network, asset, amount: amount.toString() }),
    /** Plans, signs, executes and follows; expects each step to succeed. */
    async run(kind: string, body: unknown): Promise<{ plan: PlanBody; activity: ActivityBody }> {
      const planned = await plan(kind, body)
      expect(planned.body).toMatchObject({ plan_id: expect.any(String) })
      const executed = await execute(planned.body as PlanBody)
      expect(executed.body).toMatchObject({ status: 'executing' })
      const { activity_id } = executed.body as { activity_id: string }
      return { plan: planned.body as PlanBody, activity: await follow(activity_id) }
    },
  }
}
