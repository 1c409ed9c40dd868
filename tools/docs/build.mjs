// Builds the documentation site: node tools/docs/build.mjs FOLDER. Every page is there as HTML and as Markdown, beside it `llms.txt` with a
// line for each. DOCS_BASE is the path at which the site is served (/_sim/docs/ when it is not given).
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentsOf, unpublished } from './sections.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const docs = join(root, 'docs')
/** Files of the package beside `docs` that pages link to. The site has them below its own path. */
const besides = ['scenarios', 'CHANGELOG.md']
const out = resolve(process.argv[2] ?? join(here, '../../dist/docs'))
const base = process.env.DOCS_BASE ?? '/_sim/docs/'

function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed; see above`)
}

/** Whether what the lock file names is installed. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'))
  const manifest = join(here, 'node_modules/vitepress/package.json')
  return (
    existsSync(manifest) &&
    JSON.parse(readFileSync(manifest, 'utf8')).version ===
      packages['node_modules/vitepress'].version
  )
}

/** The pages as the site has them: what is beside `docs` in the package is among them. */
function gatherPages() {
  cpSync(docs, pages, { recursive: true })
  for (const name of unpublished) rmSync(join(pages, name), { recursive: true })
  for (const name of besides) cpSync(join(root, name), join(pages, name), { recursive: true })
  for (const file of readdirSync(docs, { recursive: true }).filter(
    (name) => name.endsWith('.md') && existsSync(join(pages, name)),
  )) {
    const toPackage = '../'.repeat(file.split(sep).length)
    const text = readFileSync(join(docs, file), 'utf8')
    const links = besides.map((name) => `](${toPackage}${name}`)
    const moved = links.reduce((all, link) => all.replaceAll(link, link.replace('../', '')), text)
    writeFileSync(join(pages, file), moved)
  }
}

/** Pages as Markdown, for readers that are programs, and the files that pages link to. */
function copySources() {
  const isForReaders = (file) =>
    ['.md', '.py', '.sh', '.yml', '.yaml', '.go', '.java', '.rs', '.cs'].includes(extname(file))
  for (const file of readdirSync(pages, { recursive: true }))
    if (isForReaders(file)) cpSync(join(pages, file), join(out, file))
}

/** VitePress goes on when a page cannot be rendered, and writes it without its text. */
function refuseEmptyPages() {
  const blank = readdirSync(out, { recursive: true }).filter((file) => {
    if (!file.endsWith('.html')) return false
    const [, main] =
      /<main[^>]*>([\s\S]*?)<\/main>/.exec(readFileSync(join(out, file), 'utf8')) ?? []
    return main !== undefined && main.replace(/<[^>]*>/g, '').trim().length < 100
  })
  if (blank.length > 0)
    throw new Error(`These pages were not rendered; see above: ${blank.join(', ')}`)
}

/** A page at each old path of `moved.json`, for hosts that only serve files; the simulator redirects by itself. */
function leadToMovedPages() {
  const moved = Object.entries(JSON.parse(readFileSync(join(docs, 'moved.json'), 'utf8')))
  for (const [old, now] of moved) {
    const way = posix.relative(posix.dirname(old), now)
    writeFileSync(
      join(out, `${old}.html`),
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Moved</title>\n<meta http-equiv="refresh" content="0; url=${way}">\n<p>This page is now <a href="${way}">here</a>.</p>\n`,
    )
  }
}

/** The licences of what the site's scripts contain, which the build has noted. The fonts are the system's: the theme leaves its own out. */
function licences() {
  const noted = join(out, 'packages.json')
  const texts = JSON.parse(readFileSync(noted, 'utf8')).map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    return `## ${name} - ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
  })
  rmSync(noted)
  return `# Licences\n\nThe documentation site contains code of these packages.\n\n${texts.join('\n')}`
}

// A copy, since pages look for Vue in the folders above them.
const pages = join(here, 'pages')
rmSync(pages, { recursive: true, force: true })
gatherPages()
if (!isInstalled()) run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'])
run(process.execPath, [join(here, 'node_modules/vitepress/bin/vitepress.js'), 'build', here], {
  DOCS_OUT: out,
})
refuseEmptyPages()
copySources()
leadToMovedPages()
writeFileSync(join(out, 'llms.txt'), contentsOf(base))
writeFileSync(join(out, 'LICENSES.md'), licences())
