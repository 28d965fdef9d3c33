/** An API file with rules. */
export const NEWS = `
title: News
roles: [editor, author]
access: { write: editor }
classes:
  Article:
    access: { create: [editor, author], update: [editor, owner] }
    properties: { title: string }
  Draft:
    access: { all: owner, create: everyone }
    properties: { title: string, createdBy: { type: integer, writable: false, default: user } }
  Topic:
    operations: [list, read, create]
    properties: { name: string }
`

/** The same file without them. */
export const WITHOUT_RULES = NEWS.replace(/^(roles|access| {4}access):.*\n/gm, '')
