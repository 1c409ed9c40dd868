import { getAddress } from 'viem/utils'
import { z } from 'zod'
import { defineAnswer } from './defineAnswer.js'
import { mapTexts } from './json.js'

const forms = {
  checksum: (address: string) => getAddress(address),
  lower: (address: string) => address.toLowerCase(),
  upper: (address: string) => `0x${address.slice(2).toUpperCase()}`,
}

/** Addresses are 40 hex digits; that their case is that of the request is our choice. */
export const otherCasing = defineAnswer({
  name: 'other_casing',
  summary:
    'Every address in the response, including the signer’s, is written with its checksum, in lower case or in upper case, however it was sent.',
  settings: z.strictObject({ as: z.enum(['checksum', 'lower', 'upper']).default('checksum') }),
  alter: (answer, _, { as }) => ({
    ...answer,
    body: mapTexts(answer.body, (text) =>
      /^0x[0-9a-fA-F]{40}$/.test(text) ? forms[as](text.toLowerCase()) : text,
    ),
  }),
})
