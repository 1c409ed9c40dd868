// Records the examples and error texts of the OpenAPI documents: `npm run openapi` calls it. With `--check` it
// writes nothing, and fails when what it recorded is not what is committed.
import { generate } from './generated.mjs'

await generate('scripts/examples/record.ts', 'npm run openapi')
