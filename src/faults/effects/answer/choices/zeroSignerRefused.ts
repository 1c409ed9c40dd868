import { defineAnswer, refused, sentFields } from '../defineAnswer.js'

/** Nobody has the key of the zero address. */
export const zeroSignerRefused = defineAnswer({
  name: 'zero_signer_refused',
  summary: 'The zero address as signer returns 400 `invalid_params`; no account is created.',
  at: ({ method, path }) => method === 'POST' && path === '/accounts',
  instead: (call) =>
    /^0x0{40}$/.test(String(sentFields(call).signer_address))
      ? refused(400, 'invalid_params', 'signer_address must not be the zero address')
      : undefined,
})
