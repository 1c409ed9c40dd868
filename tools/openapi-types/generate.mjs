// Makes the types of the two clients from the OpenAPI documents, for scripts/openapi.mjs.
import { createHash } from 'node:crypto'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

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

/** The TypeScript types of a document: `file` is its path in the repository, `text` its JSON. */
export async function typesOf(file, text) {
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
  return `// Written by tools/openapi-types from ${file} (sha256 ${hash}): not to be edited.\n\n${astToString(nodes)}`
}
