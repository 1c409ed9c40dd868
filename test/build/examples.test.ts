import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The examples of the README and the documentation, as a user of TypeScript saves them. Needs `npm run build` before.

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'scenarios/README.md'].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
)
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const installed = ['vitest', 'viem', '@types/node']
let folder: string

/** The examples of a page, with the line at which each begins. */
function examplesOf(page: string): { line: number; code: string }[] {
  const text = read(page)
  const fences = text.matchAll(
    /^ *```(?:[cm]?[jt]s|javascript|typescript)\b.*\n([\s\S]*?)^ *```$/gm,
  )
  return [...fences].map(({ index, 1: code }) => ({
    line: text.slice(0, index).split('\n').length,
    code: code!,
  }))
}

/** What examples use of test runners that are not installed here, declared as strictly as the runners do. */
const runners = `
declare module '@jest/globals' {
  export { afterAll, beforeAll, expect, test } from 'vitest'
}
declare module '@playwright/test' {
  type Fixture<R> = [(args: {}, use: (value: R) => Promise<void>) => unknown, { scope: 'worker' }]
  export const test: {
    extend<T extends {}, W extends {} = {}>(fixtures: { [K in keyof W]?: Fixture<W[K]> }): T & W
  }
}
`

/** Where an excerpt of a contract's test stands. */
const contractTest = `
import { execute, operation, person, type WalletWorld } from '${join(root, 'contracts/kit.js')}'
declare const world: WalletWorld
declare const script: \`0x\${string}\`
declare const calldata: \`0x\${string}\`
`

/** An example with what its page says of it in TypeScript, on the same lines. */
function asTypeScript(page: string, code: string): string {
  const onOneLine = (text: string) => text.trim().replaceAll('\n', ';')
  if (page.startsWith('docs/recipes/')) return `${onOneLine(contractTest)};${code}`
  const [, typed] = /In TypeScript, name .*`(base\.extend<.+>\()`/.exec(read(page)) ?? []
  if (!typed || !code.includes('base.extend(')) return code
  return `import type { WorldHandle } from 'svc-sim';${code.replace('base.extend(', typed)}`
}

/** Fails to compile if nothing is known of the client. */
const typo = `
import { createSvcClient } from 'svc-sim/client'
const client = createSvcClient({ baseUrl: '', apiKey: '' })
// @ts-expect-error There is no such network.
await client.plan('', 'earn', { asset: 'USDC', amount: '1', network: 'bass', protocol: 'aave' })
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sim-examples-'))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/svc-sim'))
  for (const name of installed)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'runners.d.ts'), runners)
  writeFileSync(join(folder, 'typo.ts'), typo)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('default: every JavaScript example of the README and the documentation is strict TypeScript', async () => {
  let count = 0
  for (const page of pages)
    for (const { line, code } of examplesOf(page)) {
      const file = join(folder, `${page}.${line}.ts`)
      mkdirSync(dirname(file), { recursive: true })
      // Its lines have the numbers that they have in the page.
      writeFileSync(file, '\n'.repeat(line) + asTypeScript(page, code))
      count += 1
    }
  expect(count).toBeGreaterThan(15)
  // Those of `tsc --init`.
  const strictness = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  }
  const compilerOptions = { module: 'nodenext', noEmit: true, types: ['node'], ...strictness }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '--pretty', 'false']
  const complaints = await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  )
  expect(complaints).toBe('')
})
