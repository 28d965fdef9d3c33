/** Answers each message of the parent with the microseconds of processor time that this process has used. */
export function reportProcessorTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ processorTime: user + system })
  })
  // The server's own end is its end: the channel must not keep it alive.
  process.channel?.unref()
}
