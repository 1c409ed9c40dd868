// Writes the types of the two clients from the documents in openapi/. `npm run openapi` calls it; the results are
// committed.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
/** Whole answers as examples make up half of the document; the fields have their own. */
function withoutExamples(node) {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (typeof node !== 'object' || node === null) return node
  const isMediaType = 'schema' in node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !(isMediaType && /^examples?$/.test(key)))
      .map(([key, value]) => [key, withoutExamples(value)]),
  )
}

const hexText = ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead('0x'), [
  ts.factory.createTemplateLiteralTypeSpan(
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTemplateTail(''),
  ),
])
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull())

/** Schemas that callers send. There a text stays any text; in answers, what is always 0x and hex digits says so. */
const sentOf = (document) =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.requestBody?.content['application/json'].schema.$ref ?? [])

async function write(from, to) {
  const text = readFileSync(at(from), 'utf8')
  const document = JSON.parse(text)
  const sent = sentOf(document)
  const nodes = await openapiTS(withoutExamples(document), {
    // What has a default may still be left out of a body.
    defaultNonNullable: false,
    transform(schema, { path }) {
      if (!schema.pattern?.startsWith('^0x')) return undefined
      if (sent.some((ref) => path?.startsWith(ref))) return undefined
      return [schema.type].flat().includes('null')
        ? ts.factory.createUnionTypeNode([hexText, nothing])
        : hexText
    },
  })
  const hash = createHash('sha256').update(text).digest('hex')
  writeFileSync(
    at(to),
    `// Written by tools/openapi-types from ${from} (sha256 ${hash}): not to be edited.\n\n${astToString(nodes)}`,
  )
}

await write('openapi/openapi.json', 'src/clients/client/serviceApi.ts')
await write('openapi/control.json', 'src/clients/control/controlApi.ts')
