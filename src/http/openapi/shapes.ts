/** Changes that a whole document undergoes after the generator has written it, because no schema can say them. */

/** An object of a document; some are schemas. */
type Part = Record<string, unknown>

/** Where a document keeps data of its readers, which is not to be taken for schemas. */
const isData = (key: string): boolean => /^(examples?|default|enum)$/.test(key)

/** Calls `visit` for every object of a document that may be a schema, outermost first. */
function eachNode(value: unknown, visit: (node: Part) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Part)
  for (const [key, inside] of Object.entries(value)) if (!isData(key)) eachNode(inside, visit)
}

/** Integers beyond 2^31 say so: generators take an integer without a format for one of 32 bits. */
export function sizeIntegers(document: object): void {
  eachNode(document, (node) => {
    const isInteger = [node.type].flat().includes('integer')
    if (isInteger && node.format === undefined && !(Number(node.maximum) < 2 ** 31))
      node.format = 'int64'
  })
}

/** An object or a list as a default is nothing to most generators, and an error to some; the words say what is meant. */
export function plainDefaults(document: object): void {
  eachNode(document, (node) => {
    // A schema says its type beside; a field that is called `default` has a schema in its place.
    const isSchema = typeof node.type === 'string' || Array.isArray(node.type)
    if (isSchema && typeof node.default === 'object') delete node.default
  })
}

/** In OpenAPI 3.0 only a type can be nullable: what may be anything is written without. */
export function plainAnything(document: object): void {
  eachNode(document, (node) => {
    if (node.type === undefined) delete node.nullable
  })
}

/**
 * Lets answers have fields that the document does not name, so that a generated client takes those of a later version.
 * What requests are made of stays as it is: there a wrong name is refused, or named in the hint.
 */
export function openAnswers(document: { components?: { schemas?: object }; paths?: object }): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Part>
  const sent = new Set<unknown>()
  const send = (value: unknown): void =>
    eachNode(value, (node) => {
      if (sent.has(node)) return
      sent.add(node)
      const name = typeof node.$ref === 'string' ? node.$ref.split('/').at(-1)! : undefined
      if (name !== undefined) send(schemas[name])
    })
  eachNode(document.paths, (node) => send(node.requestBody))
  eachNode(document, (node) => {
    if (node.additionalProperties === false && !sent.has(node)) delete node.additionalProperties
  })
}
