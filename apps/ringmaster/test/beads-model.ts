import fc from 'fast-check';

interface Link {
  readonly depends_on_id: string;
  readonly type?: string;
}
interface Issue {
  readonly id: string;
  readonly status: string;
  readonly issue_type?: string;
  readonly ephemeral?: boolean;
  readonly pinned?: boolean;
  readonly defer_until?: string;
  readonly dependencies?: readonly Link[];
}

const notWork = new Set(['gate', 'molecule', 'message', 'merge-request', 'agent', 'role', 'rig']);

/**
 * Beads' rule for ready issues, implemented independently of our code. An issue is ready if it is open, every issue
 * that blocks it is closed or pinned, and no issue above it is blocked.
 */
export function beadsReady(text: string): string[] {
  const issues = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Issue)
    .filter(({ id, status }) => id !== undefined && status !== 'tombstone');
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const now = Date.now();
  const isDirectlyBlocked = ({ dependencies = [] }: Issue): boolean =>
    dependencies.some(({ depends_on_id, type }) => {
      const other = byId.get(depends_on_id);
      return (type ?? 'blocks') === 'blocks' && other !== undefined && !['closed', 'pinned'].includes(other.status);
    });
  const isBlocked = (issue: Issue, depth = 0): boolean =>
    isDirectlyBlocked(issue) || (depth < 50 && parentsOf(issue).some((parent) => isBlocked(parent, depth + 1)));
  const parentsOf = ({ dependencies = [] }: Issue): Issue[] =>
    dependencies.flatMap(({ depends_on_id, type }) => (type === 'parent-child' ? (byId.get(depends_on_id) ?? []) : []));
  const isDeferred = ({ defer_until }: Issue): boolean => defer_until !== undefined && Date.parse(defer_until) > now;
  return issues
    .filter((issue) => issue.status === 'open' && issue.pinned !== true && issue.ephemeral !== true)
    .filter((issue) => !notWork.has(issue.issue_type ?? 'task'))
    .filter((issue) => !isDeferred(issue) && !parentsOf(issue).slice(0, 1).some(isDeferred))
    .filter((issue) => !isBlocked(issue))
    .map(({ id }) => id)
    .sort();
}

const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('Z', '123456-07:00'));

/** Files as bd writes them. Issues link only to smaller numbers, so there are no cycles. */
export const issueFile: fc.Arbitrary<string[]> = fc
  .integer({ min: 1, max: 14 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => issueLine(index))));

function issueLine(index: number): fc.Arbitrary<string> {
  return fc
    .record(
      {
        title: fc.string({ minLength: 1, unit: 'grapheme' }).filter((title) => title.trim() !== ''),
        description: fc.string({ unit: 'grapheme' }),
        status: fc.constantFrom(
          'open',
          'open',
          'open',
          'closed',
          'in_progress',
          'blocked',
          'deferred',
          'hooked',
          'pinned',
        ),
        priority: fc.integer({ min: 0, max: 4 }),
        issue_type: fc.constantFrom('task', 'bug', 'epic', 'feature', 'chore', 'decision', 'message', 'custom'),
        assignee: fc.constantFrom('amy', 'bob'),
        created_at: time,
        updated_at: time,
        defer_until: fc.constantFrom('2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'),
        estimated_minutes: fc.nat(500),
        ephemeral: fc.boolean(),
        labels: fc.array(fc.string()),
        metadata: fc.jsonValue(),
        unknown_field: fc.jsonValue(),
        comments: fc.array(fc.record({ id: fc.nat(), text: fc.string() })),
        dependencies: linksTo(index),
      },
      { requiredKeys: ['title', 'status', 'priority', 'issue_type', 'created_at', 'updated_at'] },
    )
    .map((issue) => JSON.stringify({ id: `bd-${index}`, ...issue }));
}

function linksTo(index: number): fc.Arbitrary<unknown[]> {
  if (index === 0) return fc.constant([]);
  const link = fc.record({
    issue_id: fc.constant(`bd-${index}`),
    depends_on_id: fc.nat(index - 1).map((other) => `bd-${other}`),
    type: fc.constantFrom('blocks', 'blocks', 'parent-child', 'related', 'discovered-from', 'odd'),
    created_by: fc.constantFrom('amy', 'import'),
    thread_id: fc.string(),
  });
  return fc.uniqueArray(link, { maxLength: 4, selector: ({ depends_on_id, type }) => `${depends_on_id} ${type}` });
}
