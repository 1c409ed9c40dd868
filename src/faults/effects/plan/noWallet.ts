import { ServiceError } from '../../../lib/errors.js'
import { defineEffect, pastRule } from '../../rules/effect.js'

/** The account has no wallets. */
export const noWallet = defineEffect({
  on: 'plan',
  name: 'no_wallet',
  summary: 'Planning returns 400 `no_wallet`, whatever the account has.',
  synthetic: 'an account has its wallets from its creation on',
  async apply(_, _call, _proceed, { rule }) {
    throw new ServiceError('no_wallet', 'Account has no wallets', {
      hint: `Fault rule ${rule.id} (plan.no_wallet) returned this error, although the account has its wallets. ${pastRule(rule)}`,
    })
  },
})
