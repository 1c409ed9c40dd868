import { createHash } from 'node:crypto'
import { defineConfig } from 'vitepress'
import { sections } from '../sections.mjs'

const repository = 'https://github.com/OWNER/svc-sim'

export default defineConfig({
  title: 'svc-sim',
  description: 'A local simulator of a DeFi sub-account plan service.',
  srcDir: 'pages',
  // The simulator serves the site below this path; elsewhere DOCS_BASE says where it is.
  base: process.env.DOCS_BASE ?? '/_sim/docs/',
  outDir: process.env.DOCS_OUT,
  cleanUrls: true,
  // Code within a sentence is no expression of Vue's, as code in blocks is none.
  markdown: {
    config(md) {
      const render = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index].attrSet('v-pre', '')
        return render(tokens, index, ...rest)
      }
    },
  },
  // One page after the other: the search index, and with it every name, would otherwise depend on which is ready first.
  buildConcurrency: 1,
  // Scripts and workflows to copy: the build puts them beside the pages, and test/unit/docs.test.ts checks that they exist.
  ignoreDeadLinks: [/\.(py|sh|ya?ml|go|java|rs|cs)$/],
  themeConfig: {
    search: { provider: 'local' },
    nav: sections.slice(0, 4).map(({ text, items }) => ({ text, link: items[0].link })),
    sidebar: sections,
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
  },
  vite: { plugins: [packagesInside()] },
  // Scripts in the page run only when they are those that were built.
  transformHtml: (html) =>
    html.replace(
      '<head>',
      `<head>\n<meta http-equiv="content-security-policy" content="${policyOf(html)}">`,
    ),
})

function policyOf(html) {
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ].join('; ')
}

/** Writes `packages.json`: the folders of the packages whose scripts and styles are in the site, for their licences. */
function packagesInside() {
  return {
    name: 'packages-inside',
    generateBundle(_, files) {
      const modules = Object.values(files).flatMap(({ modules = {} }) => Object.entries(modules))
      const folders = modules.flatMap(([id, { renderedLength }]) => {
        const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
        const isInside = renderedLength > 0 || /\.css\b/.test(id)
        return folder !== undefined && isInside ? [folder] : []
      })
      const source = JSON.stringify([...new Set(folders)].sort())
      this.emitFile({ type: 'asset', fileName: 'packages.json', source })
    },
  }
}
