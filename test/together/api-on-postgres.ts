import { inSoak } from '../support/soak.ts'
import { AFTER_A_STORE, BEFORE_A_STORE, BY_EVERY_STORE, runOnPostgres } from '../support/together.ts'

runOnPostgres('api', {
  'access/access-leaks.test.ts': 'the leaks are planted in answers',
  'access/access-offers.test.ts': AFTER_A_STORE,
  'batch/limits.test.ts': BEFORE_A_STORE,
  'batch/turns.test.ts': BEFORE_A_STORE,
  'program/custom-operation.test.ts': AFTER_A_STORE,
  'contexts-graphs.test.ts': AFTER_A_STORE,
  'contexts-names.test.ts': AFTER_A_STORE,
  'contexts.test.ts': BEFORE_A_STORE,
  'entry-point.test.ts': BEFORE_A_STORE,
  'input/input.test.ts': BEFORE_A_STORE,
  'input/input-random.test.ts': BEFORE_A_STORE,
  'input/json-ld-random.test.ts': BEFORE_A_STORE,
  'input/expansion.test.ts': BEFORE_A_STORE,
  'input/json-ld.test.ts': BEFORE_A_STORE,
  'input/validate.test.ts': BEFORE_A_STORE,
  openapi: AFTER_A_STORE,
  // include-random compares the same on both stores.
  'output/include.test.ts': AFTER_A_STORE,
  'output/answer-nodes.test.ts': BEFORE_A_STORE,
  'output/answer.test.ts': AFTER_A_STORE,
  'output/csv': AFTER_A_STORE,
  'output/include-collections-names.test.ts': AFTER_A_STORE,
  'output/member-fields.test.ts': AFTER_A_STORE,
  'output/member-reverse.test.ts': AFTER_A_STORE,
  'output/page-cost.test.ts': AFTER_A_STORE,
  'output/search.test.ts': AFTER_A_STORE,
  'output/member.test.ts': AFTER_A_STORE,
  'output/rdf': AFTER_A_STORE,
  // They run on every store by themselves.
  'followers/runner-hosts.test.ts': BY_EVERY_STORE,
  'followers/failure.test.ts': BEFORE_A_STORE,
  'followers/progress.test.ts': BEFORE_A_STORE,
  'followers/retries.test.ts': BEFORE_A_STORE,
  transactions: BY_EVERY_STORE,
  problems: AFTER_A_STORE,
  'documentation.test.ts': BEFORE_A_STORE,
  'query/encoding.test.ts': BEFORE_A_STORE,
  'query/explain-paths.test.ts': BEFORE_A_STORE,
  'query/explain.test.ts': BEFORE_A_STORE,
  'query/fields.test.ts': BEFORE_A_STORE,
  'query/order.test.ts': BEFORE_A_STORE,
  'query/read-filters.test.ts': BEFORE_A_STORE,
  'query/resolve.test.ts': BEFORE_A_STORE,
  'query/restrict.test.ts': BEFORE_A_STORE,
  'query/reverse-links.test.ts': BEFORE_A_STORE,
  'query/tree.test.ts': BEFORE_A_STORE,
  // summary-random compares figures on both stores.
  'summaries/figures.test.ts': AFTER_A_STORE,
  'summaries/represent.test.ts': AFTER_A_STORE,
  'query/paging-cursors.test.ts': BEFORE_A_STORE,
  'query/query.test.ts': BEFORE_A_STORE,
  'resources-documentation-shapes.test.ts': BEFORE_A_STORE,
  'resources-documentation.test.ts': BEFORE_A_STORE,
  'respond-accept.test.ts': AFTER_A_STORE,
  'respond-compression.test.ts': AFTER_A_STORE,
  ...inSoak(
    {},
    {
      // access-random, access-inferred-people-random, ties-races and members/member-store-accounts.
      'access/access-paths.test.ts': BY_EVERY_STORE,
      'access/property-views-program.test.ts': BY_EVERY_STORE,
      'access/property-views-tied.test.ts': BY_EVERY_STORE,
      // auth/store, hosts/removal and members/member-store-accounts.
      'accounts/actors.test.ts': BY_EVERY_STORE,
      'accounts/mirror.test.ts': BY_EVERY_STORE,
      // members/changes, and feed/events-copies-random.
      'feed/events.test.ts': BY_EVERY_STORE,
      'feed/subscriptions.test.ts': BY_EVERY_STORE,
      // followers/runner-hosts, and members/followers.
      'followers/runner.test.ts': BY_EVERY_STORE,
      // members/selection-random.
      'input/validate-always.test.ts': BY_EVERY_STORE,
      // summaries-random, and members/summary-random.
      'summaries/order.test.ts': BY_EVERY_STORE,
      'summaries/summaries-access.test.ts': BY_EVERY_STORE,
      // access-random, access-inferred-random, members/member-store-owners and auth/store.
      'access/access-owners.test.ts': BY_EVERY_STORE,
      'access/access.test.ts': BY_EVERY_STORE,
      'session.test.ts': BY_EVERY_STORE,
      // The same and access-inferred-people-random.
      'access/access-hidden.test.ts': BY_EVERY_STORE,
      'access/anyone.test.ts': BY_EVERY_STORE,
      // members/member-store*, and the tests of races and batches.
      'collection-cost.test.ts': BY_EVERY_STORE,
      'collection-pages.test.ts': BY_EVERY_STORE,
      'collection.test.ts': BY_EVERY_STORE,
      'creation.test.ts': BY_EVERY_STORE,
      'labels.test.ts': BY_EVERY_STORE,
      'member.test.ts': BY_EVERY_STORE,
      'member-writes-preconditions.test.ts': BY_EVERY_STORE,
      'member-writes-remove.test.ts': BY_EVERY_STORE,
      'member-writes-replace.test.ts': BY_EVERY_STORE,
      'member-writes-required.test.ts': BY_EVERY_STORE,
      'member-writes-update.test.ts': BY_EVERY_STORE,
      'resource-single.test.ts': BY_EVERY_STORE,
      'resources-examples.test.ts': BY_EVERY_STORE,
      'write-errors-together.test.ts': BY_EVERY_STORE,
      'write-errors.test.ts': BY_EVERY_STORE,
      // history/history-random, and members/history.
      'history/history.test.ts': BY_EVERY_STORE,
      'history/remembered.test.ts': BY_EVERY_STORE,
      'history/removed.test.ts': BY_EVERY_STORE,
      'history/restored.test.ts': BY_EVERY_STORE,
      'history/then.test.ts': BY_EVERY_STORE,
      // members/changes*, feed/events and feed/events-copies-random.
      'feed/event-pages-random.test.ts': BY_EVERY_STORE,
      'feed/events-access.test.ts': BY_EVERY_STORE,
      'feed/events-paths.test.ts': BY_EVERY_STORE,
      'feed/ids.test.ts': BY_EVERY_STORE,
      'feed/log-tail.test.ts': BY_EVERY_STORE,
      'feed/stream.test.ts': BY_EVERY_STORE,
      // auth/store, and hosts/token.
      'accounts/own-races.test.ts': BY_EVERY_STORE,
      // auth/store, accounts/mirror and accounts/removed-users.
      'accounts/account.test.ts': BY_EVERY_STORE,
      'accounts/accounts.test.ts': BY_EVERY_STORE,
      'accounts/own.test.ts': BY_EVERY_STORE,
      // batch/contention and batch/batch-races.
      'batch/batch.test.ts': BY_EVERY_STORE,
      // ties-races, and members/member-store*.
      'access/ties.test.ts': BY_EVERY_STORE,
      // property-views-tied, and access-inferred-people-random.
      'access/property-views.test.ts': BY_EVERY_STORE,
      // removal/removals-random, removal/races and hosts/removal; killed processes: hosts/load.
      'removal/killed.test.ts': BY_EVERY_STORE,
      'removal/cost.test.ts': BY_EVERY_STORE,
      'removal/hooks.test.ts': BY_EVERY_STORE,
      'removal/plan.test.ts': BY_EVERY_STORE,
      'removal/preview.test.ts': BY_EVERY_STORE,
      'removal/removals.test.ts': BY_EVERY_STORE,
      // members/member-store*.
      'member-embedded.test.ts': BY_EVERY_STORE,
      // include-random.
      'output/include-collections.test.ts': BY_EVERY_STORE,
      'output/include-collections-access.test.ts': BY_EVERY_STORE,
      'query/include.test.ts': BY_EVERY_STORE,
      // query-random, query-paths-random and members/selection-*.
      'query/filters-text.test.ts': BY_EVERY_STORE,
      'query/filters.test.ts': BY_EVERY_STORE,
      'query/or.test.ts': BY_EVERY_STORE,
      'query/paging-walk.test.ts': BY_EVERY_STORE,
      'query/paging.test.ts': BY_EVERY_STORE,
      'query/paths.test.ts': BY_EVERY_STORE,
      'query/query-order.test.ts': BY_EVERY_STORE,
      'query/text.test.ts': BY_EVERY_STORE,
      // summaries-random, members/summary-random and members/postgres/scans.
      'summaries/summaries.test.ts': BY_EVERY_STORE,
      'summaries/members.test.ts': BY_EVERY_STORE,
      'summaries/values.test.ts': BY_EVERY_STORE,
    },
  ),
})
// What is served when an API file changes over data.
runOnPostgres('members/migration/served', {
  ...inSoak(
    {},
    {
      // members/migration, and random.
      'changed-classes.test.ts': BY_EVERY_STORE,
      'changed-file.test.ts': BY_EVERY_STORE,
      'defaults.test.ts': BY_EVERY_STORE,
      'hidden-links.test.ts': BY_EVERY_STORE,
      'renamed.test.ts': BY_EVERY_STORE,
    },
  ),
})
