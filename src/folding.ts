/**
 * Text without regard to case, by Unicode's default folding (hypermedia.md, Filters): through lower case to upper case
 * and back, so that ß, its capital ẞ and SS meet. The dotless ı is a letter of its own, whose capital is that of i.
 */
export const fold = (text: string): string =>
  text.includes('ı') ? text.split('ı').map(foldCase).join('ı') : foldCase(text)

/** A capital sigma becomes another letter at the end of a word than elsewhere; both are the same here. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** The words of a text, folded: letters, their marks, and digits. What stands between them does not matter. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
