import { baseUrl, oneOf } from './optionValues.js'

/** The options of `verify` alone: a part of `optionTable`. */
export const verifyOptions = {
  only: {
    commands: ['verify'],
    value: 'REACH',
    help: 'read: reads, and requests that are refused; plan: also creates accounts and plans; all: also executes them',
    parse: oneOf(['read', 'plan', 'all'] as const),
    fallback: 'all',
  },
  fundUrl: {
    commands: ['verify'],
    value: 'URL',
    isSecret: true,
    help: 'URL that pays: it receives a POST of {address, asset, amount, network}, like /_sim/fund',
    parse: baseUrl,
  },
  fundCmd: {
    commands: ['verify'],
    value: 'CMD',
    isSecret: true,
    help: 'command that pays, without a shell: {address}, {account_id}, {asset}, {amount} and {network} are replaced in it, and its environment has SVC_FUND_ADDRESS and so on',
  },
  record: {
    commands: ['verify'],
    value: 'FILE',
    help: 'record the run in this file, without ids, times and amounts',
  },
  against: {
    commands: ['verify'],
    value: 'FILE',
    help: 'compare with a recorded run; exits with 1 if the server has changed since',
  },
  baseline: {
    commands: ['verify'],
    value: 'FILE',
    help: 'accept the differences of a recorded run; exits with 1 only if a smaller part of an axis holds',
  },
  badge: {
    commands: ['verify'],
    value: 'FILE',
    help: 'write the score as a badge: a picture (.svg), or an endpoint badge of shields.io (.json)',
  },
  brief: {
    commands: ['verify'],
    help: 'print only differences and scores, not every documented response',
  },
  usedBy: {
    commands: ['verify'],
    value: 'FILE',
    help: 'make no requests; list the calls of a trace, or of a journal (GET /_sim/journal), that rest on our judgement only',
  },
} as const
