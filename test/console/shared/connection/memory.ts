/** A storage of a browser. `kept`: what is in it. */
export function createMemory() {
  const kept = new Map<string, string>()
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return { kept, memory }
}
