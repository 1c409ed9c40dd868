import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { actors, actorsMnemonic } from './actors.js'

test('default: the actors are the first accounts of their phrase, in order', () => {
  const derived = Object.keys(actors).map((_, addressIndex) =>
    mnemonicToAccount(actorsMnemonic, { addressIndex }).address.toLowerCase(),
  )
  expect(Object.values(actors)).toEqual(derived)
})
