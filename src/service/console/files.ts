import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

/** There is no page in the folder. */
export class NotBuiltError extends Error {}

/** Always said, as nobody may guess (`nosniff`); what is not listed is not for a browser. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export const typeOf = (path: string): string => TYPES[extname(path)] ?? 'application/octet-stream'

/**
 * Every file in a folder by the path of its URL. All of them are read at start: a request looks a path up among those,
 * and reaches no file system.
 */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? notBuilt(folder) : error
  })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const files = new Map<string, Buffer>()
  for (const path of paths) {
    const segments = relative(folder, path).split(sep).map(encodeURIComponent)
    files.set(`/${segments.join('/')}`, await readFile(path))
  }
  if (!files.has('/index.html')) throw notBuilt(folder)
  return files
}

const notBuilt = (folder: string) => new NotBuiltError(`There is no index.html in ${folder}.`)
