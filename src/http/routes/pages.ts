import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import express, { type RequestHandler, type Response, Router } from 'express'
import type { Token } from 'marked'
import { ServiceError } from '../../lib/errors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { methodNotAllowed } from '../pipeline/problems.js'

/** Browser pages that ship with the package. */
interface PackagedPages {
  folder: string
  policy: readonly string[]
  /** Whether `x` stands for `x.html`. */
  withoutExtension?: boolean
  /** Serves paths that the folder lacks. */
  instead?: RequestHandler
  /** Of a missing file: the message about its path, and the hint. */
  notThere(path: string): [message: string, hint: string]
}

/** No site may frame the page, and the page sends nothing elsewhere. */
const ownPage = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/**
 * The dashboard, as `npm run build` leaves it in `dist/ui`. It loads nothing from elsewhere and runs no inline script. Its files hold no
 * secret, so they are served without the control token: the page asks a person for it.
 */
export function dashboard(noUi: boolean): RequestHandler {
  if (noUi) return leftOut
  const own = ['script', 'style', 'img', 'connect'].map((what) => `${what}-src 'self'`)
  return packagedPages({
    folder: packageFile('dist/ui'),
    policy: ["default-src 'none'", ...own, ...ownPage],
    notThere: (path) => [
      `The dashboard has no file ${path.slice(0, 80)}`,
      path === '/'
        ? 'It is not built: run "npm run build".'
        : 'The dashboard is at /_sim/ui/. Reload a page that was opened before an update.',
    ],
  })
}

const leftOut: RequestHandler = () => {
  throw new ServiceError('not_found', 'The dashboard was left out of this simulator', {
    hint: 'Start it without --no-ui (SVC_SIM_NO_UI, "no-ui" in the config file).',
  })
}

/**
 * The documentation of this version, as `npm run docs` leaves it in `dist/docs`: pages, the same as Markdown, and `llms.txt`. A clone, and an
 * installation from one, serves its Markdown instead. It holds no secret, so it needs no control token. `folder` and `root`, of the package,
 * are absolute paths.
 */
export function documentation(
  folder = packageFile('dist/docs'),
  root = packageFile('.'),
): RequestHandler {
  // Each page names the scripts that it runs in a policy of its own, since their hashes differ.
  const policy = ownPage
  const pages = packagedPages({
    folder,
    policy,
    withoutExtension: true,
    instead: markdownPages(root, (res, path) => describe(res, path, policy.join('; '))),
    notThere: (path) => [
      `The documentation has no page ${path.replace(/\.html$/, '').slice(0, 80)}`,
      'See /_sim/docs/, or /_sim/docs/llms.txt for the list of pages.',
    ],
  })
  return Router()
    .get('/{*page}', leadToMovedPage(join(root, 'docs/moved.json')))
    .use(pages)
}

/** Redirects from the old path of a page that was renamed or merged, also as HTML or Markdown. */
function leadToMovedPage(file: string): RequestHandler {
  let moved: Record<string, string> | undefined
  return (req, res, next) => {
    const [, page = '', extension = ''] = /^\/(.+?)(\.html|\.md)?$/.exec(req.path) ?? []
    moved ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    if (!Object.hasOwn(moved, page)) return next()
    const [target, anchor] = moved[page]!.split('#') as [string, string?]
    const way = posix.relative(posix.dirname(page), target)
    res.redirect(301, `${way}${extension}${anchor ? `#${anchor}` : ''}`)
  }
}

const refuseMethod = methodNotAllowed(['GET'])

/** Serves the files of a folder and nothing else: no file above it, no name that begins with a dot. Files are read when they are asked for. */
function packagedPages(pages: PackagedPages): RequestHandler {
  const policy = pages.policy.join('; ')
  const files = express.static(pages.folder, {
    index: 'index.html',
    redirect: false,
    setHeaders: (res, path) => describe(res, path, policy),
  })
  const router = Router()
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res)
    next()
  })
  router.use(inFolder)
  if (pages.withoutExtension) router.use(addExtension)
  router.use(files)
  if (pages.instead) router.use(pages.instead)
  router.use((req) => {
    const [message, hint] = pages.notThere(req.path)
    throw new ServiceError('not_found', message, { hint })
  })
  return router
}

/**
 * A page names its parts beside itself, so its folder has a slash at the end. The address is relative: the page of a leased world stays below
 * the path of that world, and every page below the path of a proxy.
 */
export const inFolder: RequestHandler = (req, res, next) => {
  const [path = ''] = req.originalUrl.split('?')
  if (req.path === '/' && !path.endsWith('/')) res.redirect(`${path.split('/').at(-1)}/`)
  else next()
}

/** Tries the page before the folder: both may have the same name. */
const addExtension: RequestHandler = (req, _res, next) => {
  if (/\/[^/.]+$/.test(req.path)) req.url = `${req.path}.html`
  next()
}

/** Assets have a hash of their content in their names, so they never change; the page names those that belong to it. */
function describe(res: Response, path: string, policy: string): void {
  const isAsset = /[\\/]assets[\\/]/.test(path)
  res.setHeader('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
  res.setHeader('content-security-policy', policy)
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('referrer-policy', 'no-referrer')
}

/**
 * Serves the paths of the site where it is not built: in a clone, or an installation from one. `root` holds the folder `docs` and what its
 * pages link to, as in the package. A page is rendered when it is requested.
 */
function markdownPages(
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

/** Turns a link to a file, as GitHub follows it, into one to a page of the site. Files beside `docs` are below the site's own path. */
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
