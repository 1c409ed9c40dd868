import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'

/** The first of some free ports in a row, below those that systems give away by themselves. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 10_000)
    const taken = await Promise.all(Array.from({ length: count }, (_, i) => isTaken(base + i)))
    if (!taken.includes(true)) return base
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(true))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}

/** A TCP address on which somebody listens. */
export interface ListeningPort {
  host: string
  port: number
  pid: number
}

/** The TCP addresses on which the processes listen, of both families (Linux: their descriptors against /proc/net). */
export function listeningOn(pids: readonly number[]): ListeningPort[] {
  const places = new Map([...table('tcp'), ...table('tcp6')])
  return pids.flatMap((pid) =>
    socketsOf(pid).flatMap((inode) => {
      const place = places.get(inode)
      return place ? [{ ...place, pid }] : []
    }),
  )
}

/** A process and all that descend from it. */
export function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      const stat = readText(`/proc/${name}/stat`)
      // The parent is the second field after the program's name, which stands in parentheses.
      return stat
        ? [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]]
        : []
    })
  const tree = [root]
  for (const pid of tree)
    tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  return tree
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? []
    } catch {
      return [] // closed meanwhile
    }
  })
}

/** Inode -> address of what listens (state 0A). */
function table(family: 'tcp' | 'tcp6'): [string, { host: string; port: number }][] {
  const lines = (readText(`/proc/net/${family}`) ?? '').trim().split('\n').slice(1)
  return lines.flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state !== '0A') return []
    const [address, port] = local!.split(':')
    return [[inode!, { host: hostOf(address!), port: Number.parseInt(port!, 16) }]]
  })
}

/** The kernel writes words of four bytes, each in the order of the machine: here the lowest first. */
function hostOf(hex: string): string {
  const bytes = hex.match(/.{8}/g)!.flatMap((word) => word.match(/../g)!.reverse())
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
  return bytes.join('').match(/.{4}/g)!.join(':')
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
