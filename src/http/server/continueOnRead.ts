import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sends `100 Continue` when the request's body is first read, so that a request that is refused by its head alone is refused before its
 * body is sent (RFC 9110, 10.1.1). A client that was refused so may or may not send its body: the connection ends with that answer.
 */
export function continueOnRead(req: IncomingMessage, res: ServerResponse): void {
  res.shouldKeepAlive = false
  const read = req._read
  // `_read` is what every way of reading a stream comes to: listeners, pipes and iteration.
  req._read = function readOn(size) {
    req._read = read
    // Node also reads what is left of a body behind its answer.
    if (!res.headersSent) {
      res.shouldKeepAlive = true
      res.writeContinue()
    }
    read.call(req, size)
  }
}
