import { join, relative } from 'node:path'
import type { Expression, Node } from 'typescript/unstable/ast'
import {
  isIdentifier,
  isNewExpression,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import { ROOT } from '../support/markdown.ts'

/** Every regular expression in the files of a `tsconfig.json`, by the file: literals, and those that are put together. */
export function expressionsOf(config: string, folder: string): { file: string; text: string }[] {
  const api = new API({ cwd: ROOT })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(ROOT, config)] }).getProjects()
    if (project === undefined) throw new Error(`${config} is no project`)
    return project.rootFiles
      .map((path) => relative(ROOT, path))
      .filter((file) => file.startsWith(`${folder}/`))
      .flatMap((file) => {
        const source = project.program.getSourceFile(join(ROOT, file))
        if (source === undefined) throw new Error(`${file} was not read`)
        return expressionsIn(source).map((text) => ({ file, text }))
      })
  } finally {
    api.close()
  }
}

function expressionsIn(source: Node): string[] {
  const texts = new Map<string, string>()
  const found: string[] = []
  const visit = (node: Node): void => {
    if (
      isVariableDeclaration(node) &&
      isIdentifier(node.name) &&
      node.initializer &&
      isStringLiteral(node.initializer)
    )
      texts.set(node.name.text, node.initializer.text)
    if (isRegularExpressionLiteral(node)) found.push(node.text)
    if (isNewExpression(node) && node.expression.getText() === 'RegExp')
      found.push(putTogether(node.arguments?.[0], texts) ?? node.getText())
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** `^${DAY}T${CLOCK}$` of constants of the file; undefined for what is known only when it runs. */
function putTogether(
  argument: Expression | undefined,
  texts: ReadonlyMap<string, string>,
): string | undefined {
  if (argument === undefined || !isTemplateExpression(argument)) return undefined
  const parts = argument.templateSpans.map(({ expression, literal }) => {
    const text = texts.get(expression.getText())
    return text === undefined ? undefined : text + literal.text
  })
  return parts.includes(undefined) ? undefined : `/${argument.head.text}${parts.join('')}/`
}
