import type { ProbeResult } from './probe.js'

/** A line on a terminal that is written over, or on another output a line for each tenth; what differs has a line of its own. */
export function verifyProgress(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>) {
  let differing = 0
  const clear = output.isTTY ? '\r\u001b[K' : ''
  return {
    onResult({ outcome, name, cells }: ProbeResult): void {
      if (outcome !== 'differs') return
      differing++
      output.write(`${clear}svc-sim: differs: ${cells.join(', ')}: ${name}\n`)
    },
    onProgress(done: number, of: number): void {
      const text = `svc-sim: ${done} of ${of} probes, differences: ${differing}`
      const isOver = done === of
      if (output.isTTY) output.write(`${clear}${isOver ? '' : text}`)
      else if (tenth(done, of) > tenth(done - 1, of)) output.write(`${text}\n`)
    },
  }
}

function tenth(done: number, of: number): number {
  return Math.floor((done * 10) / of)
}
