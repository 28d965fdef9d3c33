import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const { arch } = process

/** Other runtimes of JavaScript, each as a command; their binaries come from the registry, for Linux. */
export const OTHER_RUNTIMES: Readonly<Record<'Bun' | 'Deno', readonly [command: string, ...args: string[]]>> =
  {
    Bun: [resolve(`@oven/bun-linux-${arch === 'arm64' ? 'aarch64' : arch}/bin/bun`)],
    Deno: [resolve(`@deno/linux-${arch}-glibc/deno`), 'run', '--allow-all'],
  }
