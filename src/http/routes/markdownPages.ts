import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'
import type { Token } from 'marked'

/**
 * The documentation where its site is not built: in a clone, and in an installation from one. `root` has the folder `docs`, and beside it
 * what its pages link to, as in the package. Serves the paths of the site; a page is rendered when it is asked for.
 */
export function markdownPages(
  root: string,
  setHeaders: (res: Response, path: string) => void,
): RequestHandler {
  const router = Router()
  router.get('/llms.txt', async (req, res, next) => {
    const index = await textAt(join(root, 'docs/index.md'))
    const { description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    if (index === undefined) return next()
    setHeaders(res, 'llms.txt')
    res.setHeader('content-type', 'text/plain; charset=utf-8')
    res.end(contentsOf(index, description, `${req.baseUrl}/`))
  })
  router.use(async (req, res, next) => {
    const path = req.path === '/' ? '/index.html' : req.path
    const [, page] = /^\/((?:\w[\w-]*\/)*\w[\w-]*)\.html$/.exec(path) ?? []
    const source = page && (await textAt(join(root, 'docs', `${page}.md`)))
    if (!page || source === undefined) return next()
    setHeaders(res, path)
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(await render(page, source))
  })
  router.use(express.static(join(root, 'docs'), { index: false, redirect: false, setHeaders }))
  const beside = express.static(root, { index: false, redirect: false, setHeaders })
  router.use((req, res, next) => {
    if (/^\/(scenarios\/|CHANGELOG\.md$)/.test(req.path)) beside(req, res, next)
    else next()
  })
  return router
}

function textAt(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

/** The list of pages in `docs/index.md`, as the site's `llms.txt` has it. */
function contentsOf(index: string, description: string, base: string): string {
  const list = index.slice(index.indexOf('\n### ') + 1)
  const groups = list.replace(/^### /gm, '## ').replace(/\]\((?=[\w/-]+\.md\))/g, `](${base}`)
  return `# svc-sim\n\n> ${description}\n\n${groups}`
}

async function render(page: string, source: string): Promise<string> {
  const { Marked } = await import('marked')
  const marked = new Marked({
    walkTokens: (token) => leadToPage(token, page),
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${content}</h${depth}>\n`
      },
    },
  })
  const text = source.replace(/^---\n[\s\S]*?\n---\n/, '')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'svc-sim'
  const home = `${posix.relative(posix.dirname(page), '.') || '.'}/`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title.replace(/[&<`]/g, '')}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
pre { overflow-x: auto; padding: 1rem; background: #8882 }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top }
img { max-width: 100% }
</style>
<p><a href="${home}">svc-sim: all pages</a>. In a clone, <code>npm run docs</code> builds the site, with a search.</p>
${await marked.parse(text)}`
}

/** Makes of a link to a file, as GitHub follows it, one to a page of the site. What is beside `docs` is below the site's own path. */
function leadToPage(token: Token, page: string): void {
  if ((token.type !== 'link' && token.type !== 'image') || /^([a-z]+:|#|\/)/.test(token.href))
    return
  const [path, anchor] = token.href.split('#') as [string, string?]
  const file = posix.join('docs', posix.dirname(page), path)
  const target = file.startsWith('docs/') ? file.slice('docs/'.length).replace(/\.md$/, '') : file
  const way = posix.relative(posix.dirname(page), target)
  token.href = anchor === undefined ? way : `${way}#${anchor}`
}

/** The anchor of a heading, as GitHub and the site make it. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
  return words.trim().replace(/\s/g, '-')
}
