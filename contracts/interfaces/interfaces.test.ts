import type { Abi, AbiFunction } from 'viem'
import { toFunctionSignature } from 'viem/utils'
import { expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'

/** Ours on the left; the makers' compiled contract that answers to it on the right. */
const pairs = [
  ['IMorpho', 'vendor/Morpho'],
  ['IAavePool', 'vendor/L2Pool'],
  ['IAaveDataProvider', 'vendor/AaveProtocolDataProvider'],
  ['IUniswapV3Factory', 'vendor/UniswapV3Factory'],
  ['IUniswapV3Pool', 'vendor/UniswapV3Pool'],
  ['ISwapRouter02', 'vendor/SwapRouter02'],
  ['IQuoterV2', 'vendor/QuoterV2'],
] as const

test.each(pairs)(
  'behavior: every function of %s is one of %s, with the same results',
  (ours, theirs) => {
    const theirFunctions = functionsOf(artifact(theirs).abi)
    const known = new Map(theirFunctions.map((item) => [toFunctionSignature(item), item]))
    const ourFunctions = functionsOf(artifact(ours).abi)
    expect(ourFunctions.length).toBeGreaterThan(0)
    for (const item of ourFunctions) {
      const signature = toFunctionSignature(item)
      expect(resultsOf(known.get(signature)), signature).toEqual(resultsOf(item))
    }
  },
)

function functionsOf(abi: Abi): AbiFunction[] {
  return abi.filter((item) => item.type === 'function')
}

/** Types in order, structs taken apart: Morpho's compiled getters return the fields of what its interface calls a struct. */
function resultsOf(item: AbiFunction | undefined): string[] | undefined {
  return item?.outputs.flatMap((output) =>
    'components' in output ? output.components.map((component) => component.type) : [output.type],
  )
}
