import type { AbiEvent } from 'viem'
import { toEventSelector } from 'viem/utils'
import { expect, test } from 'vitest'
import { iSpokePoolAbi } from '../../generated/abis.js'
import { depositTopics } from './deposit.js'

test('behavior: what the spoke pool is watched for are Across’s own events', () => {
  // The topics under which the networks' public explorers list them.
  expect(depositTopics).toEqual([
    '0x32ed1a409ef04c7b0227189c3a103dc5ac10e775a15b785dcc510201f7c25ad3',
    '0xa123dc29aebf7d0c3322c8eeb5b999e859f39937950ed31056532713d0de396f',
  ])
  const filled = iSpokePoolAbi.find((item) => item.type === 'event' && item.name === 'FilledRelay')!
  expect(toEventSelector(filled as AbiEvent)).toBe(
    '0x44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208',
  )
})
