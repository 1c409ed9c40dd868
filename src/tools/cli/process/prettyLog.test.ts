import { expect, test } from 'vitest'
import type { RequestLine } from '../../../http/core/log.js'
import { prettyLog } from './prettyLog.js'

function logging(show = { live: true, lists: false }) {
  const lines: string[] = []
  return { lines, log: prettyLog(show, (line) => void lines.push(line)) }
}

const refused: RequestLine = {
  request_id: 'req_1',
  method: 'POST',
  route: '/accounts',
  path: '/accounts',
  status: 400,
  ms: 2,
  code: 'invalid_params',
  message: 'signer_type is missing',
  explained: true,
}
const answered: RequestLine = {
  request_id: 'req_2',
  method: 'GET',
  route: '/networks',
  path: '/networks',
  status: 200,
  ms: 1.5,
}

test('default: a line for what was refused, with the next command; successes are counted', () => {
  const { lines, log } = logging()
  expect(log.counts()).toBeUndefined()
  log.request?.(answered)
  log.request?.(refused)
  expect(lines).toEqual([
    '400 invalid_params  POST /accounts  signer_type is missing  npx svc-sim why req_1',
  ])
  expect(log.counts()).toBe('requests: 1 answered, 1 refused')
})

test('behavior: the command names a simulator that is not where it usually is', () => {
  const { lines, log } = logging()
  log.runsAt('http://127.0.0.1:4477')
  log.request?.(refused)
  log.runsAt('http://127.0.0.1:5000')
  log.request?.({ ...refused, request_id: 'req_3', path: '/other' })
  expect(lines[0]).toMatch(/why req_1$/)
  expect(lines[1]).toMatch(/why req_3 --base-url http:\/\/127\.0\.0\.1:5000$/)
})

test('behavior: at the stop no command is named, since nobody would answer it', () => {
  const { lines, log } = logging()
  log.stops()
  log.request?.({ ...refused, status: 0, code: undefined, message: undefined })
  expect(lines).toEqual(['cut  POST /accounts'])
})

test('behavior: faults, failed activities and stuck bridges', () => {
  const { lines, log } = logging()
  log.happened?.({ type: 'fault', fault: 'f', effect: 'bridge.stuck', request_id: 'req_4' })
  log.happened?.({
    type: 'bridge_stuck',
    from: 'base',
    to: 'arbitrum',
    deposit_id: '3',
    account_id: 'acc_1',
    reason: 'no relayer filled the deposit',
  })
  log.happened?.({ type: 'fault', fault: 'g', effect: 'chain.slow', request_id: null })
  const failed = { type: 'activity_failed', activity_id: 'act_1', account_id: 'acc_1' } as const
  log.happened?.({ ...failed, reason: 'SWAP on base: too little' })
  log.happened?.({ ...failed, reason: 'SWAP on base: too late', faults: ['f', 'g'] })
  log.happened?.({ ...failed, reason: null, world: 'wld_1' })
  expect(lines).toEqual([
    'fault f fired  bridge.stuck  npx svc-sim why req_4',
    'bridge stuck  deposit 3 from base to arbitrum  no relayer filled the deposit  npx svc-sim why acc_1',
    'fault g fired  chain.slow',
    'failed  act_1  SWAP on base: too little  npx svc-sim why act_1',
    'failed  act_1  SWAP on base: too late  fault f, g  npx svc-sim why act_1',
    'failed  act_1  world wld_1, act_1',
  ])
})

test('behavior: the same line again and again is written at its 1st, 10th and 100th time', () => {
  const { lines, log } = logging()
  for (let i = 1; i <= 150; i++) log.request?.({ ...refused, request_id: `req_${i}` })
  log.request?.({ ...refused, path: '/elsewhere' })
  log.request?.(refused)
  expect(lines).toHaveLength(5)
  expect(lines[1]).toMatch(/\(10 times\) {2}npx svc-sim why req_10$/)
  expect(lines[2]).toMatch(/\(100 times\) {2}npx svc-sim why req_100$/)
})

test('behavior: health checks and icons are not listed, but counted; a cut connection is', () => {
  const { lines, log } = logging()
  log.request?.({ ...refused, route: '/health/ready', status: 503, code: 'internal_error' })
  log.request?.({ ...refused, route: '(none)', path: '/favicon.ico', status: 404 })
  expect(lines).toEqual([])
  const { message: _, ...cut } = refused
  log.request?.({ ...cut, status: 0, code: 'cut', faults: ['f'] })
  expect(lines).toEqual(['cut  POST /accounts  fault f  npx svc-sim why req_1'])
  expect(log.counts()).toBe('requests: 0 answered, 3 refused')
})

test('behavior: what the journal leaves out has no command', () => {
  const { lines, log } = logging()
  log.request?.({ ...refused, explained: false })
  expect(lines).toEqual(['400 invalid_params  POST /accounts  signer_type is missing'])
})

test('behavior: what a client sends cannot draw on the terminal, or fill it', () => {
  const { lines, log } = logging()
  log.request?.({ ...refused, message: `a\u001b[2J\nb\u202ec${'x'.repeat(500)}` })
  expect(lines[0]).toMatch(/ {2}a \[2J b c/)
  expect(lines[0]!.length).toBeLessThan(400)
  expect(lines[0]).not.toMatch(/\p{Cc}|\p{Cf}/u)
})

test('behavior: every request with lists; nothing without both, except failures', () => {
  const all = logging({ live: false, lists: true })
  all.log.request?.(answered)
  expect(all.lines).toEqual(['200  GET /networks  1.5 ms'])
  const none = logging({ live: false, lists: false })
  none.log.request?.(refused)
  none.log.happened?.({ type: 'fault', fault: 'f', effect: 'x.y', request_id: null })
  none.log.error('it broke', 'here')
  expect(none.lines).toEqual(['it broke: here'])
})
