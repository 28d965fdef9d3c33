/** How far a long command has come, for a person at a terminal; on standard error, since what is printed is data. */
export interface Progress {
  /** `total`: where it has become another one. */
  update(value: number, text: string, total?: number): void
  /** Prints a line above the bar. */
  print(line: string): void
  stop(): void
}

/** `total`: undefined where nobody can know it. Without a terminal there is no bar. */
export async function openProgress(total: number | undefined): Promise<Progress> {
  if (!process.stderr.isTTY) return NO_BAR
  const { SingleBar } = (await import('cli-progress')).default
  const bar = new SingleBar({
    format: total === undefined ? '{text}' : '{bar} {percentage}% {text}',
    barsize: 30,
    clearOnComplete: true,
    // The terminal's own settings stay as they are: whatever ends the process, nothing must be put right again.
    linewrap: true,
    gracefulExit: false,
  })
  let shown = { value: 0, total: total ?? 0, text: '' }
  const start = () => bar.start(shown.total, shown.value, { text: shown.text })
  start()
  return {
    update(value, text, newTotal = shown.total) {
      shown = { value, total: newTotal, text }
      bar.setTotal(newTotal)
      bar.update(value, { text })
    },
    // The bar remembers its line: it is taken away, and drawn anew below.
    print(line) {
      bar.stop()
      process.stderr.write(`${line}\n`)
      start()
    },
    stop: () => bar.stop(),
  }
}

const NO_BAR: Progress = {
  update() {},
  print: (line) => process.stderr.write(`${line}\n`),
  stop() {},
}
