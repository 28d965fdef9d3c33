// The start of every entry of dist/, where it is bundle/load.js. It compiles the one file that tools/bundle.ts has joined,
// with the code that V8 has kept of an earlier run. Node.js has a cache for that, too (`module.enableCompileCache`), but it
// is filled before any code has run, and so lacks the functions: to compile them took a quarter of the start of a server.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
// The default export: other runtimes, which the library refuses with a sentence, lack some of the names.
import nodeModule from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The name of the joined file, which has a hash of its content: V8 compares only the length of the source. */
declare const BUNDLE: string

type Bundle = (
  module: { exports: object },
  require: NodeJS.Require,
  distUrl: string,
  resolveOutside: (specifier: string) => string,
  importOutside: (specifier: string) => Promise<unknown>,
) => void
type Entries = Readonly<Record<string, () => object>>

/** Bytes of the checksum: V8 does not notice that its code is damaged. */
const CHECKSUM = 4
/** By then a server has started; much later V8 drops functions that are not called any more. */
const KEPT_AFTER_MS = 5_000

const dist = new URL('..', import.meta.url)
let entries: Entries | undefined

/** The exports of an entry, which runs at the first call. */
export function load(entry: string): object | undefined {
  entries ??= run(entry === 'cli/program')
  return entries[entry]?.()
}

/** `isProgram`: only the command keeps code. A library does not write into its package, and threads use what a server has kept. */
function run(isProgram: boolean): Entries {
  const filename = fileURLToPath(new URL(`bundle/${BUNDLE}`, dist))
  // A server runs other functions than the other commands do.
  const runner = isProgram && process.argv[2] !== 'serve' ? 'command' : 'serve'
  const kept = fileURLToPath(
    new URL(`.compiled/${BUNDLE}-${runner}-${process.version}-${process.arch}`, dist),
  )
  const cachedData = readKept(kept)
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...(cachedData && { cachedData }),
  })
  const isUsed = cachedData !== undefined && !script.cachedDataRejected
  // None if the cache of Node.js is switched off.
  if (isProgram && !isUsed && nodeModule.getCompileCacheDir() !== undefined) keepLater(script, kept)
  const module: { exports: object } = { exports: {} }
  const bundle: Bundle = script.runInThisContext()
  bundle(
    module,
    nodeModule.createRequire(import.meta.url),
    dist.href,
    (specifier) => import.meta.resolve(specifier),
    (specifier) => import(specifier),
  )
  return module.exports as Entries
}

function readKept(kept: string): Buffer | undefined {
  try {
    const bytes = readFileSync(kept)
    const code = bytes.subarray(CHECKSUM)
    return crc32(code) === bytes.readUInt32LE() ? code : undefined
  } catch {
    // Nothing was kept yet, or half of a file.
    return undefined
  }
}

/** Once, after a while or when the process ends, whichever comes first. */
function keepLater(script: Script, kept: string): void {
  const keep = () => {
    clearTimeout(timer)
    process.off('exit', keep)
    keepNow(script, kept)
  }
  const timer = setTimeout(keep, KEPT_AFTER_MS).unref()
  process.on('exit', keep)
}

function keepNow(script: Script, kept: string): void {
  const code = script.createCachedData()
  const checksum = Buffer.alloc(CHECKSUM)
  checksum.writeUInt32LE(crc32(code))
  try {
    mkdirSync(dirname(kept), { recursive: true })
    // Another process may read it meanwhile.
    writeFileSync(`${kept}.${process.pid}`, Buffer.concat([checksum, code]), { mode: 0o600 })
    renameSync(`${kept}.${process.pid}`, kept)
  } catch {
    // The folder may not be writable: then each start compiles anew.
  }
}
