/** Doors beside `index.ts`, each for those who would otherwise load much that they do not use. */
export const SIDE_DOORS: readonly string[] = [
  // For config/, which every command loads: without argon2, and without what stores need.
  'src/auth/throttle.ts',
  'src/auth/rules.ts',
  'src/vocabulary/names.ts',
  'src/webhooks/declaration.ts',
  // For the table of problems, without the gate, and without what sends.
  'src/auth/problems.ts',
  'src/webhooks/problems.ts',
  // For commands that describe violations, and serve nothing.
  'src/api/problems/json.ts',
  'src/api/problems/values.ts',
  'src/service/problems/file-changes.ts',
  'src/service/problems/migration.ts',
  // Loaded where a database cannot be opened.
  'src/database/sentences.ts',
  // For app.ts, which alone serves them.
  'src/api/resources.ts',
  // For service/, which alone runs them.
  'src/api/followers/index.ts',
  // For what opens ports and databases and reads API files: other rooms know only the messages, the interfaces, the model.
  'src/http/server.ts',
  // For auth/, which hydrant/auth loads alone: what the gate answers with, and nothing that reads requests.
  'src/http/response.ts',
  'src/members/conversion/conversion.ts',
  // For the one command that removes hidden values.
  'src/members/migration/purge.ts',
  'src/store/open.ts',
  'src/vocabulary/api-file.ts',
  // For conform/, which reads documents of any server, and no API file.
  'src/vocabulary/long-form/graph.ts',
  // For members/, whose scan threads load it too: without what reads API files.
  'src/vocabulary/index-keys.ts',
  'src/vocabulary/keys.ts',
  'src/vocabulary/lexical-forms.ts',
  // For api/input/, which only names links: without the stored form of a member.
  'src/members/member.ts',
  // Loaded where a port for metrics is asked for.
  'src/service/ops.ts',
  'src/service/metrics/metrics.ts',
  // For commands that serve nothing.
  'src/service/problems/index.ts',
  'src/service/database.ts',
  'src/service/program.ts',
  'src/service/console.ts',
  // For what puts problems into words: loaded where a command fails.
  'src/service/problems/index.ts',
  'src/service/problems/files.ts',
  'src/types/problems.ts',
]
