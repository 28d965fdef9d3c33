import { statSync } from 'node:fs'
import { quoted } from '../text.ts'

/** Warns if other users of the machine can read or change some of the files. `what`: their contents. */
export function warnOfReaders(
  files: readonly string[],
  what: string,
  warn: (sentence: string) => void,
): void {
  // Windows has no such modes.
  if (process.platform === 'win32') return
  const modeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  const open = files.filter((file) => (modeOf(file) & 0o066) !== 0)
  if (open.length === 0) return
  warn(
    `other users of this machine can read or change ${what}; keep it from them with: chmod 600 ${open.map(quoted).join(' ')}`,
  )
}
