import { openKeyspace, sqliteEngine } from '@holdfast/keyspace';
import { bucketNames, TASK_HISTORY } from '../model/buckets.ts';
import type { Buckets } from './bucket.ts';
import { definitionsOf, EmbeddedBucket } from './embedded-bucket.ts';

export interface EmbeddedOptions {
  readonly path: string;
  readonly profile?: string | undefined;
  readonly now: () => number;
}

/** The buckets in a database of this machine. */
export async function openEmbedded({ path, profile, now }: EmbeddedOptions): Promise<Buckets> {
  const names = bucketNames(profile);
  const tasks = definitionsOf(names.tasks);
  const tags = definitionsOf(names.tags);
  const schema = {
    tasks: tasks.values,
    taskMeta: tasks.meta,
    taskHistory: tasks.history,
    tags: tags.values,
    tagMeta: tags.meta,
  };
  const db = await openKeyspace({ engine: await sqliteEngine({ path }), schema });
  return {
    tasks: new EmbeddedBucket(db, { name: names.tasks, history: TASK_HISTORY, now }),
    tags: new EmbeddedBucket(db, { name: names.tags, history: 1, now }),
    facts: {
      backend: 'embedded',
      where: path,
      durability: 'An acknowledged change survives a crash and a power cut.',
      lacks: [],
    },
    close: (options) => db.close(options),
  };
}
