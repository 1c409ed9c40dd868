// Loads the bundles that lie beside it (`dist/code`). Where `cache-<V8>-<processor>` beside them has what that V8 made of a bundle when
// the package was built (code-cache.mjs), V8 starts from there and compiles nothing; what does not fit, as after a flag, V8 itself refuses.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script, constants } = require('node:vm')

const cache = join(__dirname, `cache-${process.versions.v8}-${process.arch}`)
/** Without a cache Node loads the files itself, which from version 22 on can keep a cache of its own. */
const hasCache = existsSync(cache)
/** What is loaded, by the name of its file; while it is being loaded, as much of it as there is. */
const modules = new Map()
/** By the same name, for whoever makes the cache. */
const scripts = new Map()

/** What a bundle exports. */
function load(file) {
  const known = modules.get(file)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(file, module)
  try {
    evaluate(file, module)
    return module.exports
  } catch (error) {
    modules.delete(file)
    throw error
  }
}

function evaluate(file, module) {
  const filename = join(__dirname, file)
  const parameters = 'exports, require, module, __filename, __dirname'
  // They are all ASCII. On one line with the first of the file, so that stack traces name the right ones.
  const script = new Script(`(function (${parameters}) {${readFileSync(filename, 'latin1')}\n})`, {
    filename,
    cachedData: cachedData(file),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  scripts.set(file, script)
  const { exports } = module
  script.runInThisContext().call(exports, exports, requireHere, module, filename, __dirname)
}

function cachedData(file) {
  try {
    return readFileSync(join(cache, file))
  } catch {
    return undefined
  }
}

/** Bundles name each other by `./`; the rest is Node's, and that of packages. */
function requireHere(name) {
  return /^\.\/.*\.cjs$/.test(name) ? load(name.slice(2)) : require(name)
}

module.exports = {
  hasCache,
  load: hasCache ? load : (file) => require(`./${file}`),
  loadOwn: load,
  scripts,
}
