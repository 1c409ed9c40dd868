// Loaded before a program by `node --require`: writes down whom it connects to beyond this machine, and what names it looks up.
const { appendFileSync } = require('node:fs')
const net = require('node:net')
const dns = require('node:dns')
const dgram = require('node:dgram')

const note = (what) => appendFileSync(process.env.EGRESS_FILE, `${process.pid} ${what}\n`)
const isHere = (host) => /^(?:127\.|::1$|localhost$|0\.0\.0\.0$|::$)/.test(host)

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [given] = args.flat(2)
  const { host = 'localhost', path } =
    typeof given === 'object' && given ? given : { host: args[1] }
  const isPath = path !== undefined || (typeof given === 'string' && !/^\d+$/.test(given))
  if (!isPath) note(`${isHere(host ?? 'localhost') ? 'here' : 'away'} ${host}`)
  return connect.apply(this, args)
}
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const own = dns[name]
  dns[name] = (host, ...rest) => {
    if (!isHere(host)) note(`away ${host}`)
    return own(host, ...rest)
  }
}
const { send } = dgram.Socket.prototype
dgram.Socket.prototype.send = function (...args) {
  note('away by UDP')
  return send.apply(this, args)
}
