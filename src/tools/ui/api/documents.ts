import { asViewer } from './ownReads.js'
import type { ApiDocument } from './schemas.js'
import { askControl } from './session.js'

const loaded = new Map<string, Promise<ApiDocument>>()

/** The document of the service or of the control API; loaded once. */
export function documentOf(path: '/openapi.json' | '/_sim/openapi.json'): Promise<ApiDocument> {
  const known = loaded.get(path)
  if (known) return known
  const asked = load(path)
  loaded.set(path, asked)
  asked.catch(() => loaded.delete(path))
  return asked
}

async function load(path: string): Promise<ApiDocument> {
  const request = new Request(path)
  const answer = await (path.startsWith('/_sim') ? askControl(request) : asViewer(request))
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}`)
  return answer.json()
}
