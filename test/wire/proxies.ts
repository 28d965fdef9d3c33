import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ENVIRONMENT, run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

/** A real cache in front of a port, as a command: its files are in `folder`, it listens on `port`. */
export interface RealCache {
  readonly name: string
  readonly command: string
  /** The package of Debian that has it, where it is not installed. */
  readonly package: string
  /** How long after a write it may still answer with what was before; undefined where it keeps nothing that we serve. */
  readonly keepsMs?: number
  prepare(folder: string, port: number, upstream: number): readonly string[]
}

const VARNISH_VCL = (upstream: number) => `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${upstream}"; }
`

/** RFC 9111 §5.2.2.4: what is "no-cache" may be kept, and is validated before use. Varnish forgets what lives for no time. */
const VALIDATING = `sub vcl_backend_response {
  if (beresp.was_304) { set beresp.http.X-Cache = "REVALIDATED"; }
  if (beresp.status == 200 && beresp.http.Cache-Control == "no-cache") {
    set beresp.ttl = 1ms; set beresp.grace = 0s; set beresp.keep = 1h;
    return (deliver);
  }
}
`

const varnish = (name: string, more: string): RealCache => ({
  name,
  command: 'varnishd',
  package: 'varnish',
  prepare(folder, port, upstream) {
    writeFileSync(join(folder, 'test.vcl'), VARNISH_VCL(upstream) + more)
    const listen = [
      '-F',
      '-a',
      `127.0.0.1:${port}`,
      '-n',
      join(folder, 'work'),
      '-f',
      join(folder, 'test.vcl'),
    ]
    // Compressed or not is for the server to say.
    return [...listen, '-j', 'none', '-p', 'http_gzip_support=off']
  },
})

const nginx = (name: string, more: string): RealCache => ({
  name,
  command: 'nginx',
  package: 'nginx',
  prepare(folder, port, upstream) {
    mkdirSync(join(folder, 'temporary'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/temporary/${kind};`,
    )
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr error;
      events {}
      http {
        access_log off; ${temporary.join(' ')}
        proxy_cache_path ${folder}/kept keys_zone=kept:1m;
        map $upstream_http_cache_control $is_kept_apart { "no-cache" ""; default 1; }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1;
            proxy_set_header Host $http_host; proxy_set_header Connection "";
            proxy_cache kept; proxy_cache_key $request_uri; add_header X-Cache $upstream_cache_status always;
            ${more}
          }
        }
      }`,
    )
    return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
  },
})

export const PROXIES: readonly RealCache[] = [
  nginx('nginx', 'proxy_cache_valid any 1m;'),
  // It cannot validate every time: what is public is kept for a second, which is its least.
  {
    ...nginx(
      'nginx that keeps public answers and validates them',
      'proxy_ignore_headers Cache-Control; proxy_no_cache $is_kept_apart; proxy_cache_valid 200 1s; proxy_cache_revalidate on;',
    ),
    // It reads the clock once a second.
    keepsMs: 2_000,
  },
  varnish('Varnish', ''),
  { ...varnish('Varnish that keeps public answers and validates them', VALIDATING), keepsMs: 10 },
]

/** Starts it in front of a port; ended with the test. */
export async function startProxy(t: TestContext, proxy: RealCache, upstream: number): Promise<number> {
  const { command, env } = await find(t, proxy)
  const folder = temporaryFolder(t)
  const port = await freePort()
  const child = spawn(command, proxy.prepare(folder, port, upstream), {
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill()
    await ended
  })
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) break
    const { status } = await fetch(`http://127.0.0.1:${port}/api/session`).catch(() => ({ status: 0 }))
    if (status === 401) return port
    await wait(200)
  }
  throw new Error(`${proxy.command} does not answer:\n${output}`)
}

/** From PATH, or else from the packages of Debian, unpacked into a temporary folder. */
async function find(t: TestContext, proxy: RealCache) {
  const inPath = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin')
  const [installed] = inPath.flatMap((folder) => globSync(join(folder, proxy.command)))
  if (installed !== undefined) return { command: installed, env: {} }
  const folder = temporaryFolder(t)
  const needed = await librariesOf(proxy.package)
  const further = await Promise.all(needed.map(librariesOf))
  await inFolder(folder, 'apt-get', ['download', ...new Set([proxy.package, ...needed, ...further.flat()])])
  for (const file of globSync(join(folder, '*.deb'))) await inFolder(folder, 'dpkg', ['-x', file, 'root'])
  const [command] = globSync(join(folder, 'root/usr/sbin', proxy.command))
  if (command === undefined) throw new Error(`The package ${proxy.package} has no ${proxy.command}.`)
  const libraries = new Set(globSync(join(folder, 'root/**/*.so*')).map((file) => dirname(file)))
  return { command, env: { LD_LIBRARY_PATH: [...libraries].join(delimiter) } }
}

/** The libraries that a package depends on, but for those that the system has. */
async function librariesOf(name: string): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['depends', name])
  const found = [...stdout.matchAll(/^ *\|?Depends: (lib[a-z0-9.+-]+)$/gm)].map(([, library = '']) => library)
  const missing: string[] = []
  for (const library of found) if ((await run('dpkg', ['-s', library])).status !== 0) missing.push(library)
  return missing
}

async function inFolder(cwd: string, command: string, args: readonly string[]): Promise<void> {
  const { status, stderr } = await run(command, args, { cwd })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} has ended with ${status}:\n${stderr}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
