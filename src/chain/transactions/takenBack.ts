import type { Rpc } from '../rpc/rpc.js'

/** The minimum of `--keep-blocks`. No reorganisation reaches further back. */
export const fewestKeptBlocks = 1_000

/** Whether a reorganisation may have removed this block. A node may have no receipts of older ones (`--keep-blocks`). */
export async function mayBeTakenBack(
  { rpc }: { rpc: Pick<Rpc, 'request'> },
  block: number | string,
): Promise<boolean> {
  return Number(block) > Number(await rpc.request('eth_blockNumber')) - fewestKeptBlocks
}
