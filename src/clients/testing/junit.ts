/** A case of a report: it passed unless it failed or was skipped. */
export interface JUnitCase {
  name: string
  classname: string
  seconds?: number
  /** `text` is the whole story; the message alone when absent. */
  failure?: { message: string; text?: string }
  skipped?: string
}

/** JUnit's XML, as CI servers read it: suites by their names, what all of them are called, and how long they took together. */
export function junitXml(
  suites: Readonly<Record<string, readonly JUnitCase[]>>,
  { name, seconds }: { name?: string; seconds?: number } = {},
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${name === undefined ? '' : `name="${xml(name)}" `}${sumsOf(Object.values(suites).flat(), seconds)}>`,
    ...Object.entries(suites).flatMap(([suite, cases]) => [
      `  <testsuite name="${xml(suite)}" ${sumsOf(cases, seconds)}>`,
      ...cases.map(caseText),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function sumsOf(cases: readonly JUnitCase[], seconds: number | undefined): string {
  const failures = cases.filter(({ failure }) => failure).length
  const skipped = cases.filter((each) => each.skipped !== undefined).length
  return `tests="${cases.length}" failures="${failures}" skipped="${skipped}"${timeOf(seconds)}`
}

function caseText({ name, classname, seconds, failure, skipped }: JUnitCase): string {
  const open = `    <testcase name="${xml(name)}" classname="${xml(classname)}"${timeOf(seconds)}`
  const inner = failure
    ? `<failure message="${xml(failure.message)}">${xml(failure.text ?? failure.message)}</failure>`
    : skipped !== undefined && `<skipped message="${xml(skipped)}"/>`
  return inner ? `${open}>\n      ${inner}\n    </testcase>` : `${open}/>`
}

const timeOf = (seconds: number | undefined): string =>
  seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`

/** Text for attributes and content; characters that XML 1.0 does not know become `?`. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
