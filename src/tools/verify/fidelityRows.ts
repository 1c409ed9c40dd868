import { readFileSync } from 'node:fs'
import { packageFile } from '../../lib/files/packageFile.js'
import { type Source, sources } from './types.js'

export interface LedgerRow {
  section: string
  topic: string
  /** `interface`, `public`, `judgement`, or several of them. */
  reason: string
  /** The service API alone does not show it; the text says why. */
  isHidden: boolean
}

/** Marks a section whose rows the service API does not show, unless a probe checks one. */
const hiddenSection = 'None of these can be seen over the service API'

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

export function ledgerText(): string {
  return readFileSync(packageFile('docs/fidelity.md'), 'utf8')
}

/** The day on which each kind of source was last read, or null for never. */
export function sourceDates(text: string): Record<Source, string | null> {
  const dates = sources.map((source) => [
    source,
    new RegExp(`^- \\*${source}\\*: (\\d{4}-\\d\\d-\\d\\d)`, 'm').exec(text)?.[1] ?? null,
  ])
  return Object.fromEntries(dates)
}
