import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ConsoleOptions, startConsoleServer } from '../../src/service/console.ts'
import { temporaryFolder } from '../support/folders.ts'

export const INDEX =
  '<!doctype html><meta charset="utf-8"><meta name="hydrant-base" content=""><title>Console</title><script src="console.js"></script>'

/** A console as it is built, but for its size. */
export const FILES: Readonly<Record<string, string>> = {
  'index.html': INDEX,
  'console.js': `// ${'a page that lists what there is; '.repeat(200)}`,
  'console.css': 'body{color:#123}'.repeat(20),
  'icon.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h1"/>'.repeat(20)}</svg>`,
  'deep/a b.txt': 'ä',
}

export function writeConsole(folder: string, files = FILES): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

export const BASE = 'http://localhost:8080/api'

/** The page on any free port of loopback, ended with the test. */
export async function servePage(t: TestContext, parts: Partial<ConsoleOptions> = {}) {
  const folder = parts.folder ?? temporaryFolder(t)
  if (parts.folder === undefined) writeConsole(folder)
  const server = await startConsoleServer({ host: '127.0.0.1', port: 0, base: BASE, ...parts, folder })
  t.after(() => server.close())
  return server
}

/** A request as bytes, whose connection ends with its answer. */
export const request = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): string =>
  `${method} ${target} HTTP/1.1\r\n${Object.entries({ Host: 'test', Connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
