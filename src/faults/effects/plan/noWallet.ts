import { ServiceError } from '../../../lib/errors.js'
import { defineEffect } from '../../rules/effect.js'

/** The account has no wallets. */
export const noWallet = defineEffect({
  on: 'plan',
  name: 'no_wallet',
  summary: 'Planning returns 400 `no_wallet`, whatever the account has.',
  synthetic: 'an account has its wallets from its creation on',
  async apply() {
    throw new ServiceError('no_wallet', 'Account has no wallets', {
      hint: 'A fault rule caused this.',
    })
  },
})
