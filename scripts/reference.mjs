// Writes docs/reference, docs/faults.md, the list of docs/index.md and the types of fault rules: `npm run docs:reference` calls it. With
// `--check` it writes nothing, and fails when one of them is not what is committed.
import { end, filesOf, staleFiles } from './generated.mjs'

end(staleFiles(await filesOf('scripts/reference/files.ts'), 'npm run docs:reference'))
