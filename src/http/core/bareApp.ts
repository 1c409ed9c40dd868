import express, { type Express } from 'express'

/** An Express app that adds nothing of its own to answers, and tells `/A` from `/a`. */
export function bareApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  return app
}
