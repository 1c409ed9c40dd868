// The least that a Node server can be: what the simulator's start is measured against.
import { createServer } from 'node:http'

const server = createServer((_, res) => {
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end('{}')
})
server.listen(0, '127.0.0.1', () => {
  console.log(`Listening on 127.0.0.1:${server.address().port}`)
})
