import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { SvcError } from '../../clients/client/svcError.js'
import type { ScenarioReply } from '../../clients/scenarios/target.js'
import type { ToolOutcome } from './tool.js'

/** Longer texts in an answer, calldata above all, are cut: an agent has only so much room. */
const textLimit = 400

/** An answer as a whole. */
const answerLimit = 40_000

/** What an agent reads of an outcome: the body, and what the simulator says beside it; an error with its code and its hint. */
export function resultOf(outcome: ToolOutcome, url: string): CallToolResult {
  if ('result' in outcome) return textResult([textOf(outcome.result)])
  const { status, body, headers, cut } = outcome
  if (cut) return textResult([cutText(outcome, url)], true)
  const hint = headers['x-svc-sim-hint']
  const fault = headers['x-svc-sim-fault']
  const beside = [
    hint === undefined ? [] : `hint: ${hint}`,
    fault === undefined ? [] : `fault rules that fired: ${fault}`,
  ].flat()
  if (status >= 200 && status < 300) return textResult([textOf(body), ...beside])
  const { error, message } = (body ?? {}) as { error?: string; message?: string }
  const what = error === undefined ? textOf(body) : `${error}: ${message}`
  return textResult([`${status} ${what}`, ...beside], true)
}

/** A refusal that a client of the service has thrown, told like one that was returned. */
export function textOfRefusal({ status, code, message, hint }: SvcError): string {
  return [`${status} ${code}: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])].join(
    '\n',
  )
}

/** An error that no answer of the simulator tells. */
export function errorResult(message: string): CallToolResult {
  return textResult([message], true)
}

function cutText({ why }: ScenarioReply, url: string): string {
  return `No complete answer came from the simulator at ${url} (${why}). A fault that cuts connections does that; so does a simulator that is gone: see call with getReadiness.`
}

function textResult(texts: readonly string[], isError = false): CallToolResult {
  return {
    content: texts.map((text) => ({ type: 'text', text: shorten(text, answerLimit) })),
    ...(isError ? { isError } : {}),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? shorten(each, textLimit) : each,
  )
}

function shorten(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}... (cut here; ${text.length} characters)`
}
