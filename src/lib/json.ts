/** The deepest nesting of received JSON: far deeper than any valid request. */
export const maxJsonDepth = 64

/** The JSON is nested too deep: walking the value would exhaust the stack. */
export class JsonDepthError extends Error {
  override name = 'JsonDepthError'
  constructor() {
    super(`JSON is taken up to a depth of ${maxJsonDepth} objects and arrays; this one goes deeper`)
  }
}

/**
 * Parses JSON from outside.
 *
 * @throws `SyntaxError`, or `JsonDepthError` for nesting deeper than `maxJsonDepth`, which `JSON.parse` accepts.
 */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new JsonDepthError()
  return JSON.parse(text)
}

const [quote, backslash, openList, closeList, openObject, closeObject] = Array.from(
  '"\\[]{}',
  (letter) => letter.charCodeAt(0),
)

/** Counts brackets outside of strings. */
function isDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInText) {
      if (code === backslash) i++
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code === openList || code === openObject) {
      if (++depth > maxJsonDepth) return true
    } else if (code === closeList || code === closeObject) depth--
  }
  return false
}

/** The parsed value, or the text itself when `parseJson` throws. */
export function jsonOrText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
