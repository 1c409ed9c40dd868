import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createPublicClient, webSocket } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { createClient } from '../kit/client.js'

/** Clients that prefer HTTP/2 offer it with every request over plain HTTP, and take HTTP/1.1 for an answer. */

const run = promisify(execFile)
const signer = (digit: string): string => `0x${digit.repeat(40)}`
let sim: SimulatorHandle
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-clients-'))
  sim = await createSimulator()
})
afterAll(async () => {
  await sim.close()
  await rm(dir, { recursive: true, force: true })
})

/** Whether a program is there, and says this of itself; when not, the test says so and is skipped. */
function has(program: string, args: readonly string[], pattern: RegExp): boolean {
  const { stdout = '', stderr = '' } = spawnSync(program, args, { encoding: 'utf8' })
  const found = pattern.test(`${stdout}${stderr}`)
  if (!found) process.stderr.write(`skipped: no ${program} here that says ${pattern}\n`)
  return found
}

/** All sub-accounts' signers, as a client of our own sees them. */
async function signers(): Promise<string[]> {
  const { accounts } = (await createClient(sim).get('/accounts')).body
  return accounts.map((account: { signer_address: string }) => account.signer_address)
}

test.skipIf(!has('curl', ['--version'], /\bHTTP2\b/))('behavior: curl --http2', async () => {
  const curl = async (...args: string[]) => {
    const auth = ['--header', `authorization: Bearer ${sim.apiKey}`]
    const format = '\n%{http_version} %{http_code} %{num_connects}\n'
    const quiet = ['--silent', '--show-error', '--max-time', '30', '--http2']
    return (await run('curl', [...quiet, ...auth, '--write-out', format, ...args])).stdout.split(
      '\n',
    )
  }
  // Two at once: the second goes over the connection of the first.
  const lines = await curl(`${sim.url}/networks`, `${sim.url}/accounts`)
  expect(lines.filter((line) => /^1\.1 /.test(line))).toEqual(['1.1 200 1', '1.1 200 0'])
  const body = JSON.stringify({ signer_type: 'eoa', signer_address: signer('a') })
  const post = ['--json', body, `${sim.url}/accounts`]
  expect((await curl(...post)).at(-2)).toBe('1.1 201 1')
  expect(await signers()).toContain(signer('a'))
  const chunks = ['--header', 'transfer-encoding: chunked', ...post]
  expect((await curl(...chunks)).at(-2)).toBe('1.1 409 1')
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const [answer] = await curl('--json', rpc, sim.rpc('base'))
  expect(JSON.parse(answer!)).toMatchObject({ result: '0x2105' })
})

const javaSource = `
import java.net.URI;
import java.net.http.*;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

public class Main {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newHttpClient();
    System.out.println("prefers " + client.version());
    for (int i = 0; i < 3; i++) show(client.send(get(args, "/networks"), HttpResponse.BodyHandlers.ofString()));
    var body = "{\\"signer_type\\":\\"eoa\\",\\"signer_address\\":\\"" + args[2] + "\\"}";
    for (int i = 0; i < 2; i++) show(client.send(post(args, body), HttpResponse.BodyHandlers.ofString()));
    var many = IntStream.range(0, 20)
        .mapToObj(i -> client.sendAsync(get(args, "/accounts"), HttpResponse.BodyHandlers.ofString()))
        .toList();
    CompletableFuture.allOf(many.toArray(CompletableFuture[]::new)).join();
    System.out.println(many.stream().filter(each -> each.join().statusCode() == 200).count() + " at once");
  }

  static HttpRequest get(String[] args, String path) {
    return with(args, path).GET().build();
  }

  static HttpRequest post(String[] args, String body) {
    return with(args, "/accounts").header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
  }

  static HttpRequest.Builder with(String[] args, String path) {
    return HttpRequest.newBuilder(URI.create(args[0] + path)).header("authorization", "Bearer " + args[1]);
  }

  static void show(HttpResponse<String> response) {
    System.out.println(response.version() + " " + response.statusCode());
  }
}
`

test.skipIf(!has('java', ['-version'], /version "(1[1-9]|[2-9]\d)/))(
  'behavior: the default HttpClient of the JDK',
  async () => {
    const file = join(dir, 'Main.java')
    await writeFile(file, javaSource)
    const { stdout } = await run('java', [file, sim.url, sim.apiKey, signer('b')])
    expect(stdout.trim().split('\n')).toEqual([
      'prefers HTTP_2',
      ...['HTTP_1_1 200', 'HTTP_1_1 200', 'HTTP_1_1 200', 'HTTP_1_1 201', 'HTTP_1_1 409'],
      '20 at once',
    ])
    expect(await signers()).toContain(signer('b'))
  },
)

test('behavior: WebSockets of /rpc go on working; a foreign page is told why it may have none', async () => {
  const transport = webSocket(sim.rpc('base').replace('http', 'ws'))
  const client = createPublicClient({ transport })
  expect(await client.getChainId()).toBe(8453)
  const { socket } = await client.transport.getRpcClient()
  socket.close()
  const headers = { connection: 'upgrade', upgrade: 'websocket', origin: 'https://evil.example' }
  const [answer] = (await once(get(sim.rpc('base'), { headers }), 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(403)
  expect(await json(answer)).toMatchObject({ error: 'forbidden' })
})
