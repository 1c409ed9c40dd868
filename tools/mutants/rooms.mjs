/** The pure rooms whose tests are measured, and the files of each. */
export const rooms = {
  amounts: ['src/service/plans/model/amount.ts'],
  digests: ['src/chain/wallet/digest.ts'],
  quotes: ['src/service/aggregator/quote.ts'],
  folio: ['src/service/folio/numbers.ts', 'src/service/folio/encode*.ts'],
  assembly: ['src/service/plans/assembly/*.ts'],
  rules: ['src/faults/rules/*.ts'],
  markets: ['src/service/plans/markets/**/*.ts'],
  kinds: ['src/service/plans/kinds/*.ts'],
}
