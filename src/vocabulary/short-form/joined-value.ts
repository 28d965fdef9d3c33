/** A name, and what follows its colon without a space, which YAML takes for a part of the name. */
interface JoinedValue {
  readonly name: string
  /** The text, or the bracket with which it begins. */
  readonly value: string
}

const BEGINS_WITH_BRACKET = /^([^\s:'"{}[\],]+):([{[])/
const IS_TEXT = /^([^\s:'"{}[\],]+):([^\s:/]\S*)$/

/** At the beginning of a line, or of a name. */
export const findJoinedBracket = (text: string): JoinedValue | undefined => split(BEGINS_WITH_BRACKET, text)

/** A name without a value: in `{ title:string }` all of it is one. */
export const findJoinedText = (text: string): JoinedValue | undefined => split(IS_TEXT, text)

function split(form: RegExp, text: string): JoinedValue | undefined {
  const [, name, value] = form.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : { name, value }
}
