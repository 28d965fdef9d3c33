/** Forms with unsaved changes, each with the address of its page. */
const forms = new Map<symbol, string>()

export const unsavedPage = (): string | undefined => forms.values().next().value

/** Call the returned function when the changes are saved or dropped. */
export function holdUnsaved(page: string): () => void {
  const form = Symbol()
  forms.set(form, page)
  return () => void forms.delete(form)
}

/** The user has chosen to discard the changes. */
export const forgetUnsaved = (): void => forms.clear()
