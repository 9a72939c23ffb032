import type { ProjectSettings, SettingChanges } from '../../../api/types.ts';

export type SettingName = keyof ProjectSettings;
/** Settings as form text. An empty text means the value from ringmaster.toml. */
export type SettingTexts = Readonly<Record<SettingName, string>>;

/** Returns settings as form text. A command has one argument per line, so that no argument needs quotes. */
export function textsOf(settings: ProjectSettings): SettingTexts {
  const { repository = '', worker = '', model = '', review = '', auto_merge } = settings;
  const { test_command = [], review_command = [], worker_args = [] } = settings;
  return {
    repository,
    worker,
    model,
    worker_args: worker_args.join('\n'),
    test_command: test_command.join('\n'),
    review,
    review_command: review_command.join('\n'),
    auto_merge: auto_merge === undefined ? '' : String(auto_merge),
  };
}

/** Returns only edited settings, so that concurrent changes to other settings stay. */
export function changesOf(draft: Partial<SettingTexts>, settings: ProjectSettings): SettingChanges {
  const before = textsOf(settings);
  const { repository, test_command: tests, review, review_command: reviewer, auto_merge: merge } = draft;
  const { worker, model, worker_args: args } = draft;
  return {
    ...(isNew(repository, before.repository) && { repository: repository.trim() || null }),
    ...(isNew(worker, before.worker) && { worker: worker.trim() || null }),
    ...(isNew(model, before.model) && { model: model.trim() || null }),
    ...(isNew(args, before.worker_args) && { worker_args: words(args) }),
    ...(isNew(tests, before.test_command) && { test_command: words(tests) }),
    ...(isNew(review, before.review) && { review: reviews.find((each) => each === review) ?? null }),
    ...(isNew(reviewer, before.review_command) && { review_command: words(reviewer) }),
    ...(isNew(merge, before.auto_merge) && { auto_merge: merge === '' ? null : merge === 'true' }),
  };
}

export const reviews = ['none', 'person', 'command'] as const;

function isNew(text: string | undefined, before: string): text is string {
  return text !== undefined && text !== before;
}

function words(text: string): string[] | null {
  const given = text.split('\n').filter((word) => word !== '');
  return given.length === 0 ? null : given;
}
