import { pino, stdTimeFunctions } from 'pino'
import { createRedactor } from '../../observe/journal/redact.js'
import { type HttpLog, stackOf } from './log.js'

/** A log that writes one JSON object per line. */
export interface JsonLog extends HttpLog {
  info(message: string): void
}

/** Makes a log whose lines go to `write`, each with its line break. Secrets are masked. */
export function jsonLog(secrets: readonly string[], write: (line: string) => void): JsonLog {
  const log = pino(
    {
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write },
  )
  const redact = createRedactor(secrets)
  return {
    // The line of the request has the answer.
    debug() {},
    info: (message) => log.info(redact(message)),
    error: (message, cause) => log.error({ error: redact(stackOf(cause)) }, redact(message)),
    // Neither what a client wrote in its path nor what an answer repeats of it.
    request: ({ path: _, message: __, explained: ___, ...line }) => log.info(line, 'request'),
    happened: ({ type, ...event }) => log.info(event, type),
  }
}
