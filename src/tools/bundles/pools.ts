import type { Hex } from 'viem'
import { concat, keccak256, toHex } from 'viem/utils'
import { uniswapPools } from '../../chain/funds/uniswapPools.js'
import type { NetworkBook } from '../../deployments/addressBook.js'

type ReadWord = (pool: string, slot: Hex) => Promise<bigint>

/** The storage slots of the variables of a Uniswap V3 pool. */
const variables = { slot0: 0n, ticks: 5n, tickBitmap: 6n, observations: 8n }

/** Each block with a swap takes the next observation, so this is how many such blocks a bundle allows. */
const maxObservations = 64n
/** A word of the bitmap has 256 ticks that may be used: 29 % of the price at a fee of 0.05 %, more at others. */
const wordsBeside = 1n
const spacings: Record<number, bigint> = { 500: 10n, 3000: 60n, 10000: 200n }

/**
 * Reads the slots of the pools that other swaps need than the recorded ones, by size, time or number: the next observations, and the ticks
 * around the price.
 */
export async function readPools(book: NetworkBook, read: ReadWord): Promise<void> {
  for (const { address, fee } of uniswapPools(book)) {
    const slot0 = await read(address, word(variables.slot0))
    // No such pool there.
    if (slot0 === 0n) continue
    const tick = BigInt.asIntN(24, slot0 >> 160n)
    const index = BigInt.asUintN(16, slot0 >> 184n)
    // How many it will have: they are taken in turn, also while their number grows.
    const cardinality = BigInt.asUintN(16, slot0 >> 216n)
    const count = cardinality < maxObservations ? cardinality : maxObservations
    const observations = Array.from({ length: Number(count) }, (_, i) =>
      word(variables.observations + ((index + BigInt(i)) % cardinality)),
    )
    await Promise.all(observations.map((slot) => read(address, slot)))
    await readTicks((slot) => read(address, slot), tick, spacings[fee]!)
  }
}

async function readTicks(
  read: (slot: Hex) => Promise<bigint>,
  tick: bigint,
  spacing: bigint,
): Promise<void> {
  const middle = floorDivide(tick, spacing) >> 8n
  for (let at = middle - wordsBeside; at <= middle + wordsBeside; at++) {
    const bits = await read(entry(at, variables.tickBitmap))
    const used = Array.from({ length: 256 }, (_, bit) => BigInt(bit)).filter(
      (bit) => (bits >> bit) & 1n,
    )
    // A tick takes four words.
    const slots = used.flatMap((bit) => {
      const first = BigInt(entry(((at << 8n) + bit) * spacing, variables.ticks))
      return [0n, 1n, 2n, 3n].map((more) => word(first + more))
    })
    await Promise.all(slots.map(read))
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a < 0n && a % b !== 0n ? a / b - 1n : a / b
}

/** The slot of a key of a mapping; keys may be negative. */
function entry(key: bigint, variable: bigint): Hex {
  return keccak256(concat([word(BigInt.asUintN(256, key)), word(variable)]))
}

function word(value: bigint): Hex {
  return toHex(BigInt.asUintN(256, value), { size: 32 })
}
