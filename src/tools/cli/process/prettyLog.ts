import { type HttpLog, type LogEvent, type RequestLine, stackOf } from '../../../http/core/log.js'
import { shellWord } from '../../../lib/shellWord.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'

export interface PrettyLog extends HttpLog {
  /** The commands to run next name this URL when it is not the default. */
  runsAt(url: string): void
  /** From now on no command is named: the simulator is about to stop. */
  stops(): void
  /** How many requests were answered and refused so far; undefined before the first. */
  counts(): string | undefined
}

/**
 * A log for people: one line for each request that was refused, each activity that failed and each fault that fired, with the command
 * that explains it. `lists` shows every request; `live` shows the refused ones.
 */
export function prettyLog(
  show: { live: boolean; lists: boolean },
  write: (line: string) => void,
): PrettyLog {
  const writeThinned = thinned(write)
  let base = ''
  let answered = 0
  let refused = 0
  let isStopping = false
  const why = (id: string | null, world?: string): string => {
    if (id === null || isStopping) return ''
    // `why` reaches a leased world through the base URL of that world alone.
    return world === undefined ? `  npx svc-sim why ${id}${base}` : `  world ${world}, ${id}`
  }
  return {
    debug() {},
    error(message, cause) {
      write(`${message}: ${stackOf(cause)}`)
    },
    request(line) {
      const isRefused = line.status >= 400 || line.status === 0
      if (isRefused) refused++
      else answered++
      if (show.lists || (show.live && isRefused && !isProbe(line)))
        writeThinned(
          textOf(line),
          isRefused ? why(line.explained ? line.request_id : null, line.world) : '',
        )
    },
    happened(event) {
      if (show.live || show.lists) writeThinned(...textOfEvent(event, why))
    },
    runsAt(url) {
      base = url === `http://127.0.0.1:${defaultPort}` ? '' : ` --base-url ${shellWord(url)}`
    },
    stops() {
      isStopping = true
    },
    counts: () =>
      answered + refused === 0 ? undefined : `requests: ${answered} answered, ${refused} refused`,
  }
}

/** Health checks fail until the nodes are up, and are asked again and again. Browsers ask for icons. */
function isProbe({ route, path = '' }: RequestLine): boolean {
  return route.startsWith('/health/') || /^\/(favicon\.ico|apple-touch-icon)/.test(path)
}

function textOf({ status, code, method, route, path, message, ms, faults }: RequestLine): string {
  const outcome = status === 0 ? 'cut' : `${status}${code === undefined ? '' : ` ${code}`}`
  return [
    `${outcome}  ${method} ${path ?? route}`,
    ...(message === undefined ? [] : [oneLine(message)]),
    ...(faults === undefined ? [] : [`fault ${faults.join(', ')}`]),
    ...(status < 400 && status !== 0 ? [`${ms} ms`] : []),
  ].join('  ')
}

function textOfEvent(
  event: LogEvent,
  why: (id: string | null, world?: string) => string,
): [text: string, next: string] {
  if (event.type === 'fault')
    return [`fault ${event.fault} fired  ${event.effect}`, why(event.request_id, event.world)]
  if (event.type === 'bridge_stuck') {
    const { from, to, deposit_id, reason } = event
    const what = `bridge stuck  deposit ${deposit_id} from ${from} to ${to}`
    return [`${what}  ${oneLine(reason)}`, why(event.account_id, event.world)]
  }
  const reason = event.reason === null ? '' : `  ${oneLine(event.reason)}`
  const faults = event.faults === undefined ? '' : `  fault ${event.faults.join(', ')}`
  return [`failed  ${event.activity_id}${reason}${faults}`, why(event.activity_id, event.world)]
}

/** Escapes and shortens client text, so that it cannot draw on the terminal or fill it. */
function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
  return plain.length <= 300 ? plain : `${plain.slice(0, 299)}…`
}

/** Of lines that are the same but for the command behind them, the 1st, 10th, 100th and so on are written. */
function thinned(write: (line: string) => void): (text: string, next: string) => void {
  let latest = ''
  let times = 0
  return (text, next) => {
    times = text === latest ? times + 1 : 1
    latest = text
    if (times === 1) write(`${text}${next}`)
    else if (/^10+$/.test(`${times}`)) write(`${text}  (${times} times)${next}`)
  }
}
