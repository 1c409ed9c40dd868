import type { ProcessTable, RunningProcess } from '../../../lib/processTable.js'

/** Who started this program. */
export interface Starters {
  /** npm (pnpm, yarn) and the shells in which it runs us, nearest first; none when it was not npm. */
  wrappers: readonly RunningProcess[]
  /** Who started the wrappers, or without any us. Undefined when that is outside of what can be seen, as in a container. */
  starter: RunningProcess | undefined
}

/**
 * Walks up from a process. A wrapper does nothing but wait for us, so when one of them is gone, somebody ended it. A shell that was told
 * to run us in the background does not wait, and is none.
 */
export function findStarters(
  table: ProcessTable,
  parent: number = process.ppid,
  npmFile: string | undefined = process.env.npm_execpath,
): Starters {
  const waiting: RunningProcess[] = []
  let next = table.find(parent)
  while (next && (isNpm(next, npmFile) || isWaitingShell(next))) {
    waiting.push(next)
    next = table.find(next.parent)
  }
  const outermost = waiting.findLastIndex((ancestor) => isNpm(ancestor, npmFile))
  return { wrappers: waiting.slice(0, outermost + 1), starter: next }
}

function isNpm({ words }: RunningProcess, npmFile: string | undefined): boolean {
  if (/^(npm|npx|pnpm|yarn)( |$)/.test(words[0] ?? '')) return true
  return npmFile !== undefined && words.includes(npmFile)
}

/** `sh -c 'svc-sim start'`. */
function isWaitingShell({ words: [shell = '', flag, text] }: RunningProcess): boolean {
  return /(^|\/)(sh|bash|dash|ash|zsh)$/.test(shell) && flag === '-c' && isForeground(text ?? '')
}

/** Whether a line of shell has no `&` that sends something to the background (other than `&&`, `2>&1`, `&>`). */
export function isForeground(line: string): boolean {
  const unquoted = line.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '')
  return !/(?<![&>|<])&(?![&>])/.test(unquoted)
}
