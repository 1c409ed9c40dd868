// Fills in what the repository leaves open, before a release is published: OWNER/svc-sim becomes the repository, and the README's relative
// links and pictures become addresses at the tag, since a registry shows the page without the files. `prepare` goes: it is for clones, and
// package managers warn of it.
// Usage: node scripts/publishing.mjs REPOSITORY TAG [FOLDER]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [repository, tag, folder = fileURLToPath(new URL('..', import.meta.url))] =
  process.argv.slice(2)
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '') || !tag) {
  console.error('Usage: node scripts/publishing.mjs OWNER/NAME TAG [FOLDER]')
  process.exit(2)
}

/** The link to the repository in the documentation site. */
const site = 'tools/docs/.vitepress/config.mjs'
const withOwner = (text) => text.replaceAll('OWNER/svc-sim', repository)

/** A target that is neither an address nor a place on the page. */
function absolute(text) {
  return text.replace(/(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)/g, (_, mark, label, path) =>
    mark === '!'
      ? `!${label}(https://raw.githubusercontent.com/${repository}/${tag}/${path})`
      : `${label}(https://github.com/${repository}/blob/${tag}/${path})`,
  )
}

function rewrite(file, change) {
  const path = join(folder, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

rewrite('package.json', (text) => {
  const manifest = JSON.parse(withOwner(text))
  delete manifest.scripts.prepare
  return `${JSON.stringify(manifest, null, 2)}\n`
})
for (const file of readdirSync(join(folder, 'docs'), { recursive: true }))
  if (file.endsWith('.md')) rewrite(join('docs', file), withOwner)
if (existsSync(join(folder, site))) rewrite(site, withOwner)
rewrite('README.md', (text) => absolute(withOwner(text)))
