import { type Class, type Model, storedClasses } from './model.ts'

/** The names of the classes whose members can take others along, or change them, when they are removed (model.md). */
export const removalTargets = (model: Pick<Model, 'classes'>): ReadonlySet<string> =>
  new Set(storedClasses(model).flatMap((cls) => [...targetsWithRule(cls)]))

/** Links within embedded values count, too. */
function* targetsWithRule({ properties }: Class): Generator<string> {
  for (const { range, onDelete } of properties) {
    if (range.kind === 'embedded') yield* targetsWithRule(range.cls)
    else if (range.kind === 'link' && onDelete !== 'refuse') yield range.className
  }
}

/** The last segment of the address, below a member, at which one sees what its removal would do. */
export const REMOVAL = 'removal'
