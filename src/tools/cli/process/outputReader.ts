import { lstatSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/**
 * A pipe or socket on standard output that somebody made for us. Read from /proc, so only on Linux; nothing is written to find out
 * whether it is read.
 */
export interface OutputReader {
  /** Whether somebody still reads it. A reader of another user, whose files we may not see, does not count. */
  isThere(): boolean
}

/**
 * The reader of our standard output, when the process `starter` made it for us. Undefined when it is a file or a terminal, and when the
 * starter writes to it too: then we were given what it was given itself, and whether that is read says nothing about the starter. So it
 * is for a background process of a CI step.
 */
export function findOutputReader(starter: number): OutputReader | undefined {
  const output = fileOf('self', '1')
  if (!output || !/^(pipe|socket):/.test(output)) return undefined
  const itsOwn = ['0', '1', '2'].map((descriptor) => fileOf(starter, descriptor))
  if (itsOwn.includes(undefined) || itsOwn.includes(output)) return undefined
  return { isThere: () => (output.startsWith('pipe:') ? isPipeRead(output) : isSocketOpen()) }
}

/** What a descriptor of a process stands for, such as `pipe:[4711]`; undefined when it is not there or not ours to see. */
function fileOf(pid: number | string, descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

function isPipeRead(pipe: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.some((pid) => {
    try {
      const folder = `/proc/${pid}/fd`
      const descriptors = readdirSync(folder).filter((name) => fileOf(pid, name) === pipe)
      return descriptors.some((name) => (lstatSync(`${folder}/${name}`).mode & 0o400) !== 0)
    } catch {
      return false // it ended meanwhile, or is another user's
    }
  })
}

/** Node gives its children sockets. Theirs is a two-way road: what would be read from it tells whether it is closed at the other end. */
function isSocketOpen(): boolean {
  void process.stdout // its creation makes the socket one that does not wait
  const [, flags = '0'] = /flags:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? []
  const waits = (Number.parseInt(flags, 8) & 0o4000) === 0
  if (waits) return true
  try {
    return readSync(1, Buffer.alloc(1), 0, 1, null) > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN'
  }
}
