import type { Hex } from 'viem'
import { worldFiles } from '../../src/chain/genesis/load.js'
import { logCommands } from '../../src/chain/persistence/commands.js'
import type { NodeDeath, NodeRevival } from '../../src/chain/process/launch.js'
import { startNodes } from '../../src/chain/process/nodes.js'
import type { NodeCommand } from '../../src/chain/rpc/commandLog.js'
import type { Node } from '../../src/chain/rpc/node.js'
import { type DataFolder, openDataFolder } from '../../src/wal/dataFolder.js'
import type { DataLog, LoggedPart } from '../../src/wal/dataLog.js'

/** One real node behind the log of its commands. */

export const alice = '0x00000000000000000000000000000000000a11ce'
export const bob = '0x0000000000000000000000000000000000000b0b'

/** Polygon, on a data folder. */
export interface Running {
  node: Node
  folder: DataFolder
  surprises: string[]
  /** Its deaths: those that it came back from, and the one that it did not. */
  revivals: NodeRevival[]
  deaths: NodeDeath[]
  /** Whether the blocks of the log came out again. */
  isSame: boolean
  /** As a sudden end: nothing is written any more. */
  end(): Promise<void>
}

export const testOrigin = { worldHash: 'w', anvilVersion: 'a' }

/** Starts it from the folder. */
export async function startLogged(
  dir: string,
  log: (folder: DataFolder) => DataLog = (folder) => folder,
): Promise<Running> {
  const folder = await openDataFolder(dir, testOrigin)
  const surprises: string[] = []
  const revivals: NodeRevival[] = []
  const deaths: NodeDeath[] = []
  let isSame = false
  let part: LoggedPart | undefined
  const file = folder.recovered.files.polygon ?? worldFiles().files.polygon
  const nodes = await startNodes({
    networks: ['polygon'],
    loadState: { polygon: file },
    onRevival: (revival) => void revivals.push(revival),
    onDeath: (death) => void deaths.push(death),
    async commandLog(handle) {
      const commands = logCommands(handle, { file }, log(folder), (message) =>
        surprises.push(message),
      )
      isSame = await commands.replay((folder.recovered.changes.polygon ?? []) as NodeCommand[])
      part = commands.part
      return commands
    },
  })
  folder.keep([part!])
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= nodes.stop().then(() => folder.close())
    return ended
  }
  return { node: nodes.get('polygon'), folder, surprises, revivals, deaths, isSame, end }
}

export const ask = <T = Hex>({ node }: Running, method: string, ...params: unknown[]): Promise<T> =>
  node.rpc.request<T>(method, params)
export const balance = (running: Running, address: string) =>
  ask(running, 'eth_getBalance', address, 'latest').then(BigInt)
export const head = async (running: Running): Promise<{ number: Hex; hash: Hex }> => {
  const { number, hash } = await ask<{ number: Hex; hash: Hex }>(
    running,
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  return { number, hash }
}
export const send = (running: Running, from: string, to: string, value: string) =>
  ask<{ transactionHash: Hex; blockHash: Hex }>(running, 'eth_sendTransactionSync', {
    from,
    to,
    value,
  })
export async function rich(running: Running, ...accounts: string[]): Promise<void> {
  for (const account of accounts) {
    await ask(running, 'anvil_setBalance', account, '0xde0b6b3a7640000000')
    await ask(running, 'anvil_impersonateAccount', account)
  }
}
