/** Node-specific methods that change nothing, or only what `evm_revert` undoes. */
const harmless =
  /^(set(balance|code|nonce|accountnonce|storageat|erc20\w*)|addbalance|deal\w*|mine\w*|snapshot|revert|reorg|rollback|drop\w+|removepooltransactions|get\w+|metadata|nodeinfo|dumpstate)$/

/** How a node mines and what time it has: a reset sets both again. */
const setAnew =
  /^(setautomine|settime|increasetime|setnextblocktimestamp|(set|remove)blocktimestampinterval|setnextblockbasefeepergas)$/

/** Whether a method may have effects that `evm_revert` does not undo (anvil 1.7.1), such as impersonation. */
export function survivesRevert(method: string): boolean {
  const [, name] = /^(?:anvil|hardhat|evm|tenderly)_(\w+)$/.exec(method) ?? []
  return name !== undefined && ![harmless, setAnew].some((known) => known.test(name.toLowerCase()))
}
