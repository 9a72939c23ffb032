import type { Random } from '../../../packages/sqlite/test/random.ts';
import type { NightProject } from './night-project.ts';

interface OpenInquiry {
  readonly id: string;
  readonly about: string;
  readonly options: string;
}

const PATIENCE_MS = 2_000;
/** Share of decisions that nobody answers. */
const IGNORED = 0.04;
/** Fraction of the answers that give up a task, which also stops its dependents. */
const GIVEN_UP = 0.05;
export const GIVE_UP = 'give it up';

/** People who look at the project from time to time and answer decisions at random. */
export class NightPeople {
  readonly #project: NightProject;
  readonly #random: Random;
  /** Time at which each decision is answered. */
  readonly #due = new Map<string, number>();
  readonly #refusals: string[] = [];

  constructor(project: NightProject, random: Random) {
    this.#project = project;
    this.#random = random;
  }

  /** Errors from commands that must succeed, such as an answer that ringmaster offered. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** Answers due questions and decisions, and continues tasks that wait for a person. */
  async act(): Promise<void> {
    for (const inquiry of this.#inquiries()) {
      if (!this.#due.has(inquiry.id)) this.#due.set(inquiry.id, this.#timeToAnswer());
      if (Date.now() >= this.#due.get(inquiry.id)!) await this.#answer(inquiry);
    }
    const waiting = this.#project.rows<{ id: string }>(`SELECT id FROM tasks AS t WHERE type = 'task'
      AND (status = 'draft' OR status = 'blocked' AND NOT EXISTS (
        SELECT 1 FROM inquiries AS i WHERE i.about_id = t.id AND i.answered_at IS NULL))`);
    for (const { id } of waiting) await this.#do('task', 'ready', id);
  }

  /** Merges the work that a person promised to merge by hand. Nothing else may use the repository until this ends. */
  async mergeByHand(): Promise<void> {
    const tasks = this.#project.rows<{ id: string }>(`SELECT id FROM tasks WHERE status = 'review'`);
    for (const { id } of tasks) {
      const pattern = `refs/heads/ringmaster/${id}-a*`;
      const branches = this.#project.git('for-each-ref', '--format=%(refname:short)', '--sort=-creatordate', pattern);
      // Only shared.txt can conflict, and any of its versions is right.
      this.#project.git('merge', '-q', '--no-edit', '-X', 'ours', branches.split('\n')[0]!);
      await this.#do('merge', id);
    }
  }

  /** Returns whether people have nothing left to do. */
  isDone(): boolean {
    const isIgnored = ({ id }: OpenInquiry): boolean => this.#due.get(id) === Infinity;
    const left = this.#project.rows(`SELECT id FROM tasks WHERE status IN ('draft', 'review')`);
    return left.length === 0 && this.#inquiries().every(isIgnored);
  }

  #inquiries(): OpenInquiry[] {
    return this.#project.rows<OpenInquiry>(
      'SELECT task_id AS id, about_id AS about, options FROM inquiries WHERE answered_at IS NULL',
    );
  }

  #timeToAnswer(): number {
    return this.#random.next() < IGNORED ? Infinity : Date.now() + this.#random.next() * PATIENCE_MS;
  }

  async #answer({ id, options }: OpenInquiry): Promise<void> {
    const offered = JSON.parse(options) as string[];
    const others = offered.filter((option) => option !== GIVE_UP);
    const givesUp = offered.includes(GIVE_UP) && this.#random.next() < GIVEN_UP;
    await this.#do('answer', id, givesUp ? GIVE_UP : this.#random.of(others));
  }

  async #do(...args: readonly string[]): Promise<void> {
    const { code, errors } = await this.#project.attempt(...args);
    if (code !== 0) this.#refusals.push(`ringmaster ${args.join(' ')} ended with ${code}: ${errors.trim()}`);
  }
}
