import { defineEffect } from '../../rules/effect.js'

/** Whoever asks for a fresh folio gets the one before: what a replica that lags behind would answer. */
export const serveStale = defineEffect({
  on: 'folio.read',
  name: 'serve_stale',
  summary:
    'The folio endpoint returns the account’s most recent folio even when a fresh one is requested. The first one is computed.',
  apply: (_, call) => call.previous(),
})
