/** The permutation of Chaskey, in place: four 32-bit words, additions, rotations and XORs. */
function permute(state: Int32Array, rounds: number): void {
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  for (let round = 0; round < rounds; round += 1) {
    a = (a + b) | 0
    b = ((b << 5) | (b >>> 27)) ^ a
    a = (a << 16) | (a >>> 16)
    c = (c + d) | 0
    d = ((d << 8) | (d >>> 24)) ^ c
    a = (a + d) | 0
    d = ((d << 13) | (d >>> 19)) ^ a
    c = (c + b) | 0
    b = ((b << 7) | (b >>> 25)) ^ c
    c = (c << 16) | (c >>> 16)
  }
  state[0] = a
  state[1] = b
  state[2] = c
  state[3] = d
}

/** Whole blocks of four words: nothing else is sealed. */
export interface Chaskey {
  /** Computes the MAC of the words from `from` to `to` into the first four words of `tag`. */
  mac(words: Int32Array, from: number, to: number, tag: Int32Array): void
  /** XORs the words from `from` to `to` with the keystream of this initialisation vector, which encrypts and decrypts. */
  applyKeystream(words: Int32Array, from: number, to: number, vector: Int32Array): void
}

/**
 * Chaskey (ISO/IEC 29192-6), a MAC for 32-bit words, with the 16 rounds of its variant for long-term security; and its
 * block cipher (Even and Mansour) in counter mode. For short texts on the path of every page, where the calls into native
 * code that AES needs take longer than all of this.
 */
export function createChaskey(key: Int32Array, rounds = 16): Chaskey {
  const [first = 0, second = 0, third = 0, fourth = 0] = key
  // Twice the key, in the field of 2^128 elements.
  const doubled = Int32Array.of(
    (first << 1) ^ (fourth < 0 ? 0x87 : 0),
    (second << 1) | (first >>> 31),
    (third << 1) | (second >>> 31),
    (fourth << 1) | (third >>> 31),
  )
  const state = new Int32Array(4)
  const addTo = (target: Int32Array, words: Int32Array, at: number): void => {
    for (let index = 0; index < 4; index += 1)
      target[index] = (target[index] as number) ^ (words[at + index] as number)
  }

  return {
    mac(words, from, to, tag) {
      state.set(key)
      for (let at = from; at < to; at += 4) {
        addTo(state, words, at)
        if (at + 4 >= to) addTo(state, doubled, 0)
        permute(state, rounds)
      }
      addTo(state, doubled, 0)
      tag.set(state)
    },
    applyKeystream(words, from, to, vector) {
      for (let at = from; at < to; at += 4) {
        for (let index = 0; index < 4; index += 1)
          state[index] = (vector[index] as number) ^ (key[index] as number)
        state[3] = (state[3] as number) ^ (at - from)
        permute(state, rounds)
        addTo(state, key, 0)
        for (let index = 0; index < 4; index += 1)
          words[at + index] = (words[at + index] as number) ^ (state[index] as number)
      }
    },
  }
}
