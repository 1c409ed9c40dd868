import type { WorkerLine } from './askWorker.js'
import type { FleetDirectory } from './directory.js'

/** The answer of `GET /_sim/worlds`. */
export interface WorldList {
  worlds: unknown[]
  leased: number
  warm: number
  starting: number
  waiting: number
  most: number
}

/** The worlds of all workers, who are asked with these headers. Rejects with `DirectoryError` when nobody can tell who they are. */
export async function listWorlds(
  { directory, line }: { directory: Pick<FleetDirectory, 'workers'>; line: WorkerLine },
  headers: Record<string, string>,
): Promise<Omit<WorldList, 'waiting'> & { workers: number }> {
  const workers = await directory.workers()
  const answers = await Promise.all(
    workers.map((worker) =>
      line
        .ask(worker, { method: 'GET', path: '/_sim/worlds', headers })
        .then(({ text }) => JSON.parse(text) as WorldList)
        // One that ends at this moment has no worlds any more.
        .catch(() => undefined),
    ),
  )
  const lists = answers.flatMap((answer) => answer ?? [])
  const sum = (name: 'leased' | 'warm' | 'starting' | 'most') =>
    lists.reduce((total, list) => total + list[name], 0)
  return {
    worlds: lists.flatMap(({ worlds }) => worlds),
    leased: sum('leased'),
    warm: sum('warm'),
    starting: sum('starting'),
    most: sum('most'),
    workers: workers.length,
  }
}
