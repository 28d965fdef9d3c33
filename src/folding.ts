/**
 * Text without regard to case (hypermedia.md, Filters): through upper case and back, so that ß meets SS. A capital
 * sigma becomes another letter at the end of a word than elsewhere; both are the same here.
 */
export const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** The words of a text, folded: letters, their marks, and digits. What stands between them does not matter. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
