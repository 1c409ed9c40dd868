/** Requests of a node's own families that change nothing, or only what a return to an earlier state takes back. */
const undone =
  /^(set(balance|code|nonce|accountnonce|storageat|erc20\w*)|addbalance|deal\w*|mine\w*|snapshot|revert|reorg|rollback|drop\w+|removepooltransactions|get\w+|metadata|nodeinfo|dumpstate)$/

/** How a node mines and what time it has, which a return sets anew. */
const setAnew =
  /^(setautomine|settime|increasetime|setnextblocktimestamp|(set|remove)blocktimestampinterval|setnextblockbasefeepergas)$/

/**
 * Whether a request may leave something with a node that is still there after it has returned to an earlier state, such as for whom
 * it acts (anvil 1.7.1).
 */
export function survivesRevert(method: string): boolean {
  const [, name] = /^(?:anvil|hardhat|evm|tenderly)_(\w+)$/.exec(method) ?? []
  return name !== undefined && ![undone, setAnew].some((known) => known.test(name.toLowerCase()))
}
