import { expect, test } from 'vitest'
import { keepLoopbackDirect } from './loopbackDirect.js'

const direct = (env: NodeJS.ProcessEnv) => {
  keepLoopbackDirect(env)
  return [env.NO_PROXY, env.no_proxy]
}
const loopback = 'localhost,127.0.0.1,::1,[::1]'

test.each(['HTTP_PROXY', 'https_proxy', 'ALL_PROXY'])(
  'default: %s does not concern loopback',
  (name) => {
    expect(direct({ [name]: 'http://proxy.example:3128' })).toEqual([loopback, loopback])
  },
)

test('behavior: what is there already stays, in both spellings, and a second time adds nothing', () => {
  const env = { HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY: 'corp.example, localhost' }
  const list = 'corp.example,localhost,127.0.0.1,::1,[::1]'
  expect(direct(env)).toEqual([list, list])
  expect(direct(env)).toEqual([list, list])
})

test('behavior: an environment without a proxy is left alone', () => {
  const env = { HTTP_PROXY: '', PATH: '/bin' }
  expect(direct(env)).toEqual([undefined, undefined])
  expect(Object.keys(env)).toEqual(['HTTP_PROXY', 'PATH'])
})
