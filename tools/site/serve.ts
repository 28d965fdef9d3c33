import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Serves a folder to this machine alone; the server of Eleventy listens on every address. */
export function serveFolder(folder: string, port: number): void {
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      const path = join(folder, decodeURIComponent(pathname.replace(/\/$/, '/index.html')))
      if (!path.startsWith(folder + sep)) throw new Error(`${path} is outside of ${folder}.`)
      const bytes = await readFile(path)
      response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain; charset=utf-8').end(bytes)
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such page.\n')
    }
  })
  server.listen(port, '127.0.0.1', () =>
    console.log(`http://localhost:${port}/ follows your changes; Ctrl-C ends it.`),
  )
}
