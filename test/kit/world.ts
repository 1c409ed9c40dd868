import {
  type Abi,
  type Address,
  createPublicClient,
  custom,
  type Hex,
  keccak256,
  type PublicClient,
  parseAbi,
} from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createFaucet, type Faucet } from '../../src/chain/funds/faucet.js'
import { startWorldNode, type WorldNode } from '../../src/chain/genesis/anvil.js'
import { worldFiles } from '../../src/chain/genesis/load.js'
import { hubKey } from '../../src/chain/genesis/prices.js'
import type { Nodes, Receipt } from '../../src/chain/rpc/node.js'
import { sendAs } from '../../src/chain/transactions/send.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook, type NetworkBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'

import { lendNode } from './nodes.js'

const addressBook = loadAddressBook()
const purse = toHex(10n ** 24n)
const hubAbi = parseAbi(['function setPrice(bytes32 symbol, uint256 usdE8)'])

export const erc20 = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
])

/** One network of the built world, as an outsider with a viem client sees it; sends for any account. */
export interface WorldSide {
  network: NetworkName
  book: NetworkBook
  node: WorldNode
  faucet: Faucet
  /** Reads, like any outsider's. */
  client: PublicClient
  /** Sends from any account, which gets what the gas costs first. Rejects with `ChainRevert` when it reverts. */
  send(
    from: Address,
    to: Address,
    abi: Abi,
    functionName: string,
    args: readonly unknown[],
  ): Promise<Receipt>
  /** Gives tokens and lets `spender` take them. */
  give(to: Address, asset: string, amount: bigint, spender?: Address): Promise<void>
  balance(token: Address, account: Address): Promise<bigint>
  /** Sets the price of a price key in the hub: USD with 8 decimals. */
  setPrice(key: string, usdE8: bigint): Promise<void>
  /** Mines a block that many seconds after the latest. */
  warp(seconds: number): Promise<void>
}

/** An address that nothing in the world knows; another one per label. */
export function stranger(label: string): Address {
  return `0x${keccak256(toHex(`stranger/${label}`)).slice(-40)}`
}

/**
 * Nodes of the built world for the tests of a file, which find them as built before each test. They are lent, or with `isOwn` the file's
 * own: what takes blocks back needs the states of past blocks, of which a node that others have used may have none left.
 */
export function useWorld(
  networks: readonly NetworkName[] = networkNames,
  { isOwn = false } = {},
): {
  on(network: NetworkName): WorldSide
} {
  const sides = new Map<NetworkName, WorldSide>()
  const snapshots = new Map<NetworkName, Hex>()
  beforeAll(async () => {
    const { files } = worldFiles()
    const running = await Promise.all(
      networks.map((network) =>
        isOwn ? startWorldNode(network, { loadState: files[network] }) : lendNode(network),
      ),
    )
    for (const node of running) sides.set(node.network, createSide(node))
  })
  afterAll(() => Promise.all([...sides.values()].map(({ node }) => node.stop())))
  beforeEach(async () => {
    for (const { node } of sides.values())
      snapshots.set(node.network, await node.rpc.request('evm_snapshot'))
  })
  afterEach(async () => {
    for (const { node } of sides.values())
      await node.rpc.request('evm_revert', [snapshots.get(node.network)])
  })
  return {
    on(network) {
      const side = sides.get(network)
      if (!side) throw new Error(`${network} runs only inside tests, and where useWorld names it`)
      return side
    },
  }
}

function createSide(node: WorldNode): WorldSide {
  const { network, rpc } = node
  const book = addressBook.on(network)
  const only: Nodes = { get: () => node, all: () => [node], stop: () => node.stop() }
  const faucet = createFaucet(only, addressBook)
  const client = createPublicClient({
    transport: custom({ request: ({ method, params }) => rpc.request(method, params) }),
  })
  const send: WorldSide['send'] = async (from, to, abi, functionName, args) => {
    await rpc.request('anvil_setBalance', [from, purse])
    return sendAs(node, { from, to, data: encodeFunctionData({ abi, functionName, args }) })
  }
  return {
    network,
    book,
    node,
    faucet,
    client,
    send,
    async give(address, asset, amount, spender) {
      await faucet.fund({ network, address, asset, amount })
      const token = addressBook.token(network, asset)!
      if (spender) await send(address, token.address, erc20, 'approve', [spender, amount])
    },
    balance: (token, account) =>
      client.readContract({
        address: token,
        abi: erc20,
        functionName: 'balanceOf',
        args: [account],
      }),
    async setPrice(key, usdE8) {
      await send(actors.admin, book.priceHub, hubAbi, 'setPrice', [hubKey(key), usdE8])
    },
    async warp(seconds) {
      await rpc.request('evm_increaseTime', [seconds])
      await rpc.request('evm_mine')
    },
  }
}
