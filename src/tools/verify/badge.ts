import type { RunReport } from './report.js'

/** The badge of a run: what shields.io takes as an endpoint, or a picture. */
export const badgeFormats = { json: endpoint, svg: picture } as const

type Badged = Pick<RunReport, 'score' | 'ended'>

const label = 'svc-sim verify'

/** https://shields.io/badges/endpoint-badge */
function endpoint(report: Badged): string {
  const { message, color } = wordsOf(report)
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`
}

/** Drawn without knowing the font: `textLength` makes each text as wide as its field. */
function picture(report: Badged): string {
  const { message, color } = wordsOf(report)
  const [left, right] = [label, message].map(widthOf) as [number, number]
  const text = (words: string, at: number) =>
    `<text x="${at + 5}" y="14" textLength="${widthOf(words) - 10}">${words}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${message}">`,
    `<title>${label}: ${message}</title>`,
    `<rect width="${left}" height="20" fill="#555"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${color}"/>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(label, 0)}${text(message, left)}</g>`,
    '</svg>',
    '',
  ].join('\n')
}

const widthOf = (text: string): number => Math.ceil(text.length * 6.6) + 10

/** A run without an end has no score that means anything. */
function wordsOf({ score, ended }: Badged): { message: string; color: string } {
  if (ended !== undefined) return { message: 'not finished', color: '#9f9f9f' }
  const { percent, lowest } = score
  const color =
    percent === 100 ? '#4c1' : percent >= 80 ? '#97ca00' : percent >= 50 ? '#dfb317' : '#e05d44'
  return { message: `${percent}% (${lowest})`, color }
}
