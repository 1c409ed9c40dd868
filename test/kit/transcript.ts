import type { Hex } from 'viem'
import { sign } from 'viem/accounts'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import type { Ready } from './cli.js'
import type { PlanBody } from './user.js'

/** A client that writes down every byte that may not differ from run to run: what was asked, and what came back. */
export interface Transcript {
  /** One entry per exchange. */
  entries: string[]
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Plans, signs and executes without waiting for the outcome; answers the plan, also when it is none. */
  run(account: string, kind: string, intent: unknown, key: Hex): Promise<PlanBody>
  execute(account: string, plan: PlanBody, key: Hex): Promise<{ activity_id: string }>
  /** Writes down all blocks of all chains. */
  blocks(): Promise<void>
}

/** Base URL and ports differ from run to run, and so does the machine's time; all else is written down. */
export function transcribe({ url, apiKey }: Pick<Ready, 'url' | 'apiKey'>): Transcript {
  const entries: string[] = []
  const call: Transcript['call'] = async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const headers = [...response.headers].filter(
      ([name]) =>
        (name.startsWith('x-svc-sim-') && name !== 'x-svc-sim-real-date') ||
        name === 'content-type' ||
        name === 'date',
    )
    const asked = `${method} ${path} ${JSON.stringify(body) ?? ''}`
    entries.push([asked, response.status, ...headers, text].join('\n').replaceAll(url, 'BASE'))
    return JSON.parse(text) as T
  }
  const execute: Transcript['execute'] = async (account, { plan_id, details }, key) => {
    const hash = details.eip712_data.digest
    const signature = await sign({ hash, privateKey: key, to: 'hex' })
    return call('POST', `${account}/plan/execute`, { plan_id, signature })
  }
  const rpc = <T>(network: NetworkName, method: string, params: unknown[]) =>
    call<{ result: T }>('POST', `/rpc/${network}`, { jsonrpc: '2.0', id: 1, method, params })
  return {
    entries,
    call,
    execute,
    async run(account, kind, intent, key) {
      const plan = await call<PlanBody>('POST', `${account}/plan/${kind}`, intent)
      if (plan.details) await execute(account, plan, key)
      return plan
    },
    async blocks() {
      for (const network of networkNames) {
        const { result } = await rpc<Hex>(network, 'eth_blockNumber', [])
        for (let number = Number(result); number > Number(result) - 60; number--)
          await rpc(network, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
      }
    },
  }
}
