/** A sentence in parts: addresses stand alone. What ends a sentence or a list is no part of them. */
export const splitAddresses = (text: string): readonly string[] =>
  text.split(/(https?:\/\/[^\s,;"'<>)]*[^\s,;"'<>).])/).filter(Boolean)
