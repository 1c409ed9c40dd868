/** How deep objects and arrays may stand in each other in JSON that others send: far deeper than anything that is asked for. */
export const maxJsonDepth = 64

/** JSON that is nested too deep: walking such a value would exhaust the stack. */
export class JsonDepthError extends Error {
  override name = 'JsonDepthError'
  constructor() {
    super(`JSON is taken up to a depth of ${maxJsonDepth} objects and arrays; this one goes deeper`)
  }
}

/**
 * Reads JSON that others have sent. `JSON.parse` itself takes any depth.
 *
 * @throws `SyntaxError` when it is none, `JsonDepthError` when it is nested deeper than `maxJsonDepth`.
 */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new JsonDepthError()
  return JSON.parse(text)
}

const [quote, backslash, openList, closeList, openObject, closeObject] = Array.from(
  '"\\[]{}',
  (letter) => letter.charCodeAt(0),
)

/** By its brackets alone, in one pass and before anything is made of it. */
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

/** The value that a text stands for, or the text itself when that is no JSON or nested too deep to be worked on. */
export function jsonOrText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
