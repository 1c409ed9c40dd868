import { expect, test } from 'vitest'
import { jsonLog } from './jsonLog.js'

const key = 'qk_abc123_00112233445566778899'

function logging() {
  const written: string[] = []
  return { written, log: jsonLog([key, 't0ken'], (line) => void written.push(line)) }
}

test('default: steps and failures, one object a line', () => {
  const { written, log } = logging()
  log.info('listening on http://127.0.0.1:4477')
  log.error('a fault', new Error('first line\nsecond line'))
  log.error('another', 'no error at all')
  const [step, failure, other] = written.map((line) => JSON.parse(line))
  expect(step).toMatchObject({ level: 'info', msg: 'listening on http://127.0.0.1:4477' })
  expect(failure).toMatchObject({ level: 'error', msg: 'a fault' })
  expect(failure.error).toMatch(/^Error: first line\nsecond line\n {4}at /)
  expect(other).toMatchObject({ msg: 'another', error: 'no error at all' })
  for (const line of written) expect(line).toMatch(/^[^\n]+\n$/)
})

test('behavior: keys and tokens are masked in steps, messages and stacks', () => {
  const { written, log } = logging()
  log.info(`${key} t0ken`)
  log.error(
    `GET /accounts/${key}: t0ken`,
    new Error(`with ${key} and ${encodeURIComponent('t0ken')}`),
  )
  expect(written.join('')).not.toMatch(/0011|t0ken/)
  expect(JSON.parse(written[0]!).msg).toBe('qk_abc123_*** ***')
})

test('behavior: what went to the client with its answer is not told again', () => {
  const { written, log } = logging()
  log.debug('req_1 GET /: 404 not_found')
  expect(written).toEqual([])
})
