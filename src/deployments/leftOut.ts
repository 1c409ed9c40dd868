/** A market that does not answer on a forked network: nothing offers it there. */
export interface LeftOut {
  protocol: 'comet' | 'aave' | 'morpho' | 'vaults' | 'morphoRewards' | 'across'
  name: string
  /** Address of the Comet, the vault, the reserve's asset, the distributor or the spoke pool; the id of a Morpho market. */
  id: `0x${string}`
  /** The assets that name it in requests. */
  symbols: readonly string[]
  /** What is wrong with it there. */
  why: string
}
