/** A map of a bounded size: the entry that was set longest ago is removed first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    if (this.size >= this.#most) this.delete(this.keys().next().value as Key)
    return super.set(key, value)
  }

  /** Like the method of future versions of Map; no value may be undefined. */
  getOrInsertComputed(key: Key, compute: (key: Key) => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    this.set(key, value)
    return value
  }
}
