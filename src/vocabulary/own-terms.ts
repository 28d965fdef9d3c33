/**
 * Terms that no public vocabulary has: `{base}/vocab#{name}`, defined in the documentation (model.md). Classes begin with a
 * capital, so that none has such a name.
 */
export const OWN_TERMS = {
  labelProperty: 'The properties of a class whose values, joined by a blank, name a member to people.',
  plural: 'What people call the members of a class.',
  uniqueTogether: 'Properties of a class: no two members have the same values of all of them.',
  always: 'What the server sets at every write: "now", the time, or "user", the id of the user.',
  onDelete:
    'What happens when the member is removed that a link leads to: "refuse" the removal, "unset" the value, or "delete" the linking member too.',
  removal:
    'A URI template (RFC 6570) of a class: where one sees what else the removal of a member would delete or change.',
  deleted: 'Members that a removal would delete too.',
  changed: 'Members that a removal would take a link out of.',
  example: 'A value of a property, for people to see.',
  unit: 'What the number in a property counts.',
  scale: 'The most digits after the point of a decimal.',
} as const

export type OwnTerm = keyof typeof OWN_TERMS
