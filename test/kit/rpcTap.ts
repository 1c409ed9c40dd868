import type { NetworkName } from '../../src/deployments/networks.js'

/** Stands around every request to a node of a simulator in the sim tier. Returns what `proceed` resolves to. */
export type RpcTap = (
  request: { network: NetworkName; method: string; params: readonly unknown[] },
  proceed: () => Promise<unknown>,
) => Promise<unknown>

/** Outlives the modules of a test file, as the mocked module does. */
const shared = globalThis as { svcSimRpcTap?: RpcTap | undefined }

/** Puts a tap on, or takes it off again: a test file does that at its end. */
export function tapRpc(tap: RpcTap | undefined): void {
  shared.svcSimRpcTap = tap
}

/** The tap that is on. */
export const rpcTap = (): RpcTap | undefined => shared.svcSimRpcTap
