import express, { type RequestHandler, type Response, Router } from 'express'
import { methodNotAllowed } from '../pipeline/problems.js'

/** Pages for a browser that the package brings along. */
export interface PackagedPages {
  /** Absolute path of the folder. */
  folder: string
  /** The header `content-security-policy`. */
  policy: string
  /** Whether `x` stands for `x.html`. */
  withoutExtension?: boolean
  /** Throws what is answered for a file that is not there. */
  notThere: RequestHandler
}

const refuseMethod = methodNotAllowed(['GET'])

/** Serves the files of a folder and nothing else: no file above it, no name that begins with a dot. Files are read when they are asked for. */
export function packagedPages(pages: PackagedPages): RequestHandler {
  const files = express.static(pages.folder, {
    index: 'index.html',
    redirect: false,
    setHeaders: (res, path) => describe(res, path, pages.policy),
  })
  const router = Router()
  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res, next)
    if (req.path === '/' && !req.originalUrl.split('?')[0]!.endsWith('/'))
      res.redirect(302, `${req.baseUrl}/`)
    else next()
  })
  if (pages.withoutExtension) router.use(addExtension)
  router.use(files, pages.notThere)
  return router
}

/** A page may have the name of a folder, so it is looked for first. */
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
