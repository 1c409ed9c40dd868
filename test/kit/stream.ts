import { get, type IncomingMessage } from 'node:http'

/** One event of a stream. */
export interface StreamMessage {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
  data: any
}

/** Follows the `/stream` of a control API; it stands when this resolves. */
export async function followStream(url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/stream`, { headers }, resolve).on('error', reject)
  })
  async function* read(): AsyncGenerator<StreamMessage> {
    let text = ''
    for await (const chunk of response) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field('data')
        if (data) yield { id: field('id'), event: field('event')!, data: JSON.parse(data) }
      }
    }
  }
  const messages = read()
  return {
    response,
    /** Reads on until one answers to this; all that came, that one last. */
    async until(wanted: (message: StreamMessage) => boolean): Promise<StreamMessage[]> {
      const came: StreamMessage[] = []
      for (;;) {
        const { value, done } = await messages.next()
        if (done)
          throw new Error(`the stream ended after ${JSON.stringify(came.map((m) => m.event))}`)
        came.push(value)
        if (wanted(value)) return came
      }
    },
    rest: () => messages.next(),
    close: () => response.destroy(),
  }
}
