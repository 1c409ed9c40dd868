import { readFileSync } from 'node:fs'
import { packageFile } from '../../lib/files/packageFile.js'
import { type Source, sources } from './types.js'

/** A choice of docs/fidelity.md. */
export interface LedgerRow {
  section: string
  topic: string
  /** `interface`, `public`, `judgement`, or several of them. */
  reason: string
  /** Nobody who has the service API alone can see it; the text says why. */
  isHidden: boolean
}

/** What stands below the heading of a section whose rows cannot be seen over the service API, unless a probe looks at one. */
const hiddenSection = 'None of these can be seen over the service API'

/** The rows of the ledger. */
export function readLedger(text: string): LedgerRow[] {
  return text.split(/^## /m).flatMap((section) => {
    const isHidden = section.includes(hiddenSection)
    return section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Topic|---)/.test(line))
      .map((line) => {
        const [topic = '', , reason = ''] = line.slice(2, -2).split(' | ')
        return {
          section: section.split('\n')[0]!,
          topic,
          reason,
          isHidden: isHidden || reason.includes('not observable'),
        }
      })
  })
}

/** The ledger of this package. */
export function ledgerText(): string {
  return readFileSync(packageFile('docs/fidelity.md'), 'utf8')
}

/** When each kind of source was last read, as the ledger says: a day, or null for never. */
export function sourceDates(text: string): Record<Source, string | null> {
  const dates = sources.map((source) => [
    source,
    new RegExp(`^- \\*${source}\\*: (\\d{4}-\\d\\d-\\d\\d)`, 'm').exec(text)?.[1] ?? null,
  ])
  return Object.fromEntries(dates)
}
