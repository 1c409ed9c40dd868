const plans = 'src/service/plans'
const builds = `${plans}/kinds/builds.test.ts`

/** The pure rooms to measure: the files to mutate and the unit tests to run. */
export const rooms = {
  amounts: {
    files: [`${plans}/model/amount.ts`],
    tests: [`${plans}/model/*.test.ts`, `${plans}/kinds/everything.test.ts`],
  },
  digests: { files: ['src/chain/wallet/wallet.ts'], tests: ['src/chain/wallet/*.test.ts'] },
  quotes: {
    files: ['src/service/aggregator/quote.ts'],
    tests: ['src/service/aggregator/*.test.ts'],
  },
  folio: {
    files: ['src/service/folio/numbers.ts', 'src/service/folio/encode*.ts'],
    tests: ['src/service/folio/*.test.ts'],
  },
  assembly: {
    files: [`${plans}/assembly/*.ts`],
    tests: [`${plans}/assembly/*.test.ts`, builds],
  },
  markets: {
    files: [`${plans}/markets/**/*.ts`],
    tests: [`${plans}/markets/**/*.test.ts`, builds],
  },
  kinds: {
    files: [`${plans}/kinds/*.ts`],
    tests: [`${plans}/kinds/*.test.ts`],
  },
  rules: {
    // Not ruleSet.ts and stoppedNodes.ts: they hold rules and processes, and the tiers node and sim test them.
    files: [
      'src/faults/rules/*.ts',
      ':!src/faults/rules/ruleSet.ts',
      ':!src/faults/rules/stoppedNodes.ts',
    ],
    tests: ['src/faults/rules/*.test.ts', 'src/faults/engine/*.test.ts'],
  },
}
