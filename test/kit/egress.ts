import { readdir, readFile, readlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const preload = fileURLToPath(new URL('egress.cjs', import.meta.url))

/** The environment in which Node programs write down whom they connect to, into that file. */
export function watched(file: string) {
  const env = { NODE_OPTIONS: `--require ${preload}`, EGRESS_FILE: file }
  return { env, lines: async () => (await readFile(file, 'utf8')).trim().split('\n') }
}

/** Far ends of the TCP and UDP sockets of these processes, in hex as the kernel writes them, but for those on this machine. */
export async function farEnds(pids: readonly number[]): Promise<string[]> {
  const links = await Promise.all(
    pids.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
      return Promise.all(names.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    }),
  )
  const own = new Set(links.flat().flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')),
  )
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, , far = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      const isHere = /^(?:.{6}7F|0+:|0{24}0{7}1|0{24}01000000|0{16}FFFF0000.{6}7F)/.test(far)
      return own.has(inode) && !isHere ? [far] : []
    }),
  )
}
