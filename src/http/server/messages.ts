import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

export type Messages = ReturnType<typeof createMessages>

type Construct = (this: object, ...given: unknown[]) => void

/**
 * Makes classes whose objects Express need not change. It gives each request and response the prototype of its app, and V8 treats an object
 * whose prototype was replaced as slow, which doubles the cost of a request. They are functions because the prototype of a `class` is fixed
 * and the server listens before there is an app; `Reflect.construct` would be as slow.
 */
export function createMessages() {
  const [read, write] = [IncomingMessage, ServerResponse] as unknown as [Construct, Construct]
  function Incoming(this: object, socket: unknown): void {
    read.call(this, socket)
  }
  function Outgoing(this: object, req: unknown, options: unknown): void {
    write.call(this, req, options)
  }
  Incoming.prototype = IncomingMessage.prototype
  Outgoing.prototype = ServerResponse.prototype
  return {
    /** For `createServer`. */
    classes: {
      IncomingMessage: Incoming as unknown as typeof IncomingMessage,
      ServerResponse: Outgoing as unknown as typeof ServerResponse,
    },
    /** Gives them the prototypes of the app's requests and responses. */
    serveBy({ request, response }: Express): void {
      Incoming.prototype = request
      Outgoing.prototype = response
    },
  }
}
