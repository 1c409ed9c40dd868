import { anyText, baseUrl, oneOf, yesOrNo } from './optionValues.js'

/** The options of `verify` alone: a part of `optionTable`. */
export const verifyOptions = {
  only: {
    commands: ['verify'],
    value: 'REACH',
    help: 'read: only reads, and requests that are refused; plan: makes accounts and plans too; all: executes them',
    parse: oneOf(['read', 'plan', 'all'] as const),
    fallback: 'all',
  },
  fundUrl: {
    commands: ['verify'],
    value: 'URL',
    isSecret: true,
    help: 'who pays: gets a POST of {address, asset, amount, network}, like /_sim/fund',
    parse: baseUrl,
  },
  fundCmd: {
    commands: ['verify'],
    value: 'CMD',
    isSecret: true,
    help: 'who pays: a command with {address}, {account_id}, {asset}, {amount} and {network} in it, or SVC_FUND_ADDRESS and so on in its environment; no shell',
    parse: anyText,
  },
  record: {
    commands: ['verify'],
    value: 'FILE',
    help: 'keep the run in this file, without ids, times and amounts',
    parse: anyText,
  },
  against: {
    commands: ['verify'],
    value: 'FILE',
    help: 'compare with a run that was recorded; exits with 1 when the server has changed since',
    parse: anyText,
  },
  baseline: {
    commands: ['verify'],
    value: 'FILE',
    help: 'a run that was recorded; exits with 1 only when less of an axis holds than in it',
    parse: anyText,
  },
  brief: {
    commands: ['verify'],
    help: 'print only what differs and the scores, not every documented answer',
    parse: yesOrNo,
    fallback: false,
  },
  usedBy: {
    commands: ['verify'],
    value: 'FILE',
    help: 'ask nobody, but tell which calls of a trace, or of a journal (GET /_sim/journal), rest on our judgement only',
    parse: anyText,
  },
} as const
