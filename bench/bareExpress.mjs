// The least that Express can be: one path, given first, and what it answers, given second. What reads are measured against.
import express from 'express'

const [path, body] = process.argv.slice(2)
const answer = JSON.parse(body)
const app = express()
app.get(path, (_, res) => res.json(answer))
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`Listening on 127.0.0.1:${server.address().port}`)
})
