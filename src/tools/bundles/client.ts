import { http } from 'viem'
import { SvcError } from '../../clients/client/svcError.js'
import { RefusedError } from '../../clients/control/controlClient.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { Simulator } from '../../simulator/sim.js'

/** JSON-RPC of a network of the simulator that records. */
export type AskNetwork = (
  network: NetworkName,
  method: string,
  params: unknown[],
) => Promise<unknown>

/** Milliseconds that a trace may take. */
export const traceWithinMs = 600_000

/** Sends JSON-RPC to the networks of a simulator. */
export function askNetworks({ rpc }: Simulator): AskNetwork {
  return (network, method, params) =>
    http(rpc[network], { timeout: traceWithinMs, retryCount: 0 })({}).request({ method, params })
}

/** Why a call was refused (400 or 422), if it was. Any other failure means that state could not be read, and is thrown. */
export async function whyRefused(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const isAnswer = error instanceof SvcError || error instanceof RefusedError
    if (!isAnswer || ![400, 422].includes(error.status)) throw error
    return error.message
  }
}
