// Loaded into every Node process of a test run (NODE_OPTIONS). Writes down each start of a node and of the command line, a line per
// start: the process that starts it, then `node` (one that stands alone), the chain id (one of a simulator) or `cli`.
const { appendFileSync } = require('node:fs')
const { ChildProcess } = require('node:child_process')

const file = process.env.TEST_STARTS_FILE
const { spawn } = ChildProcess.prototype

if (file)
  ChildProcess.prototype.spawn = function (options) {
    const words = options.args.map(String)
    const chain = words.indexOf('--chain-id')
    const what = chain < 0 ? words.find(isCli) && 'cli' : isAlone(words) ? 'node' : words[chain + 1]
    if (what) appendFileSync(file, `${process.pid} ${what} ${globalThis.svcSimTestFile ?? ''}\n`)
    return spawn.call(this, options)
  }

/** Only nodes that stand alone act for any sender. */
function isAlone(words) {
  return words.includes('--auto-impersonate')
}

function isCli(word) {
  return /(?:dist\/cli\/main\.js|\.bin\/svc-sim)$/.test(word)
}
