import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openWithProject, temporaryFolder } from '../../../test/harness.ts';
import { sha256 } from '../../adapters/files.ts';
import { defaultConfig } from '../../model/config.ts';
import { tokensOf } from '../../model/prompt/tokens.ts';
import { assembliesOf } from '../../store/prompt-assemblies.ts';
import { importBeads } from '../beads.ts';
import { addMessage, addSummary } from '../chat.ts';
import { examine } from '../doctor.ts';
import { answerInquiry, inquire } from '../inquiries.ts';
import { claim, report } from '../queue.ts';
import { undo } from '../restore.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { addTask, editTask } from '../tasks.ts';
import { assemblePrompt } from './assemble.ts';

const write = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const project = (rm: Ringmaster, path: string, text: string): void =>
  write(rm.workspace.filesPath, join('projects', 'circus', path), text);
const shown = { purpose: 'shown' } as const;

/** Returns the text under a heading. */
function section(text: string, title: string): string {
  return new RegExp(`^## ${title}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(text)?.[1]?.trim() ?? '';
}

async function repository(): Promise<Ringmaster> {
  const root = temporaryFolder();
  execFileSync('git', ['init', '-q', root]);
  return openWithProject({ root });
}

describe('a prompt', () => {
  it('has the sections of the design document in their order, from every source', async () => {
    const rm = await repository();
    project(rm, 'project.md', 'A travelling circus in Rust.');
    project(rm, 'conventions.md', 'Tabs.');
    project(rm, 'context/adrs/001-tickets.md', 'Tickets are sold by token.');
    project(rm, 'context/libs/lions.md', 'Lions eat meat.');
    write(rm.workspace.root, 'src/tickets.ts', 'export const price = 5;\n');
    write(rm.workspace.root, 'src/lions.ts', 'export const roar = true;\n');
    const epic = await addTask(rm, { title: 'Opening night', type: 'epic', description: 'In May.' });
    const before = await addTask(rm, { title: 'Print paper' });
    const { id } = await addTask(rm, {
      title: 'Sell tickets',
      parent: epic.id,
      depends_on: [before.id],
      description: 'Change src/tickets.ts.\n\n## Acceptance criteria\n- a ticket costs 7',
    });
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await report(rm, { token: attempt.id, status: 'completed', output: 'Printed 100 sheets.\n' });
    await addMessage(rm, { role: 'user', content: 'No discounts.' });
    await addMessage(rm, { role: 'user', content: 'About the paper', task: before.id });
    const asked = await inquire(rm, { task: id, kind: 'decision', question: 'Which currency?' });
    await answerInquiry(rm, { inquiry: asked.id, answer: 'Crowns' });
    const { text } = await assemblePrompt(rm, id, shown);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Objective',
      'Project Context',
      'Recent History',
      'Results of Dependencies',
      'Relevant Code',
      'Requirements',
      'Acceptance Criteria',
      'Decisions',
      'Instructions',
    ]);
    expect(text.startsWith(`# Task: ${id}\n\n## Objective\nSell tickets\n`)).toBe(true);
    const context = section(text, 'Project Context');
    expect(context).toMatch(/^A travelling circus in Rust\.\n\nTabs\.\n\n### Part of .*: Opening night\nIn May\./);
    expect(context).toContain('Tickets are sold by token.');
    expect(context).not.toContain('Lions');
    expect(section(text, 'Recent History')).toContain('No discounts.');
    expect(text).not.toContain('About the paper');
    expect(section(text, 'Results of Dependencies')).toContain('Printed 100 sheets.');
    expect(section(text, 'Results of Dependencies')).not.toContain('Which currency?');
    expect(section(text, 'Relevant Code')).toBe('`src/tickets.ts`\n```ts\nexport const price = 5;\n```');
    expect(section(text, 'Requirements')).toBe('Change src/tickets.ts.');
    expect(section(text, 'Acceptance Criteria')).toBe('- a ticket costs 7');
    expect(section(text, 'Decisions')).toBe('- Which currency?\n  Crowns (answered by tester)');
  });

  it('says what failed last time, and takes more from Beads than we have columns for', async () => {
    const rm = await openWithProject();
    const line = {
      id: 'bd-1',
      title: 'T',
      status: 'open',
      priority: 2,
      design: 'Small.',
      acceptance_criteria: 'It works.',
    };
    await importBeads(rm, { content: JSON.stringify(line), source: 'test' });
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await report(rm, { token: attempt.id, status: 'failed', reason: 'the tests did not pass' });
    const { text } = await assemblePrompt(rm, 'bd-1', shown);
    expect(section(text, 'What failed last time')).toBe('the tests did not pass');
    expect(section(text, 'Requirements')).toBe('### Design\nSmall.');
    expect(section(text, 'Acceptance Criteria')).toBe('It works.');
  });

  it('gives the last messages word for word in order, and summaries of what was before', async () => {
    const rm = await openWithProject({ config: { prompt: { ...defaultConfig.prompt, chat_messages: 3 } } });
    const { id } = await addTask(rm, { title: 'A' });
    for (let n = 1; n <= 4; n++) await addMessage(rm, { role: 'user', content: `old ${n}` });
    await addSummary(rm, { text: 'They said old things', decisions: ['go on'] });
    for (let n = 1; n <= 3; n++) await addMessage(rm, { role: 'assistant', content: `new ${n}` });
    await addSummary(rm, { text: 'They said new things' });
    const history = section((await assemblePrompt(rm, id, shown)).text, 'Recent History');
    expect(history).toMatch(/^They said old things\n- go on\n\n[^]*new 1\n[^]*new 2\n[^]*new 3$/);
    expect(history).not.toContain('old 1');
    expect(history).not.toContain('They said new things');
    const silent = { ...rm, config: { ...rm.config, prompt: { ...rm.config.prompt, chat_messages: 0 } } };
    const none = section((await assemblePrompt(silent, id, shown)).text, 'Recent History');
    expect(none).toBe('They said old things\n- go on\n\nThey said new things');
  });
});

describe('the budget', () => {
  it('is kept, whatever there is, and every candidate is accounted for', async () => {
    const rm = await repository();
    project(rm, 'project.md', 'circus '.repeat(20_000));
    for (let n = 0; n < 12; n++) {
      write(
        rm.workspace.root,
        `src/lease-${n}.ts`,
        `// renew the lease ${n}\n${'const lease = renew();\n'.repeat(400)}`,
      );
      project(rm, `context/examples/${n}.md`, `How to renew a lease: ${'again and again. '.repeat(300)}`);
      await addMessage(rm, { role: 'user', content: `lease ${'so '.repeat(2_000)}` });
    }
    const description = Array.from({ length: 300 }, (_, n) => `Renew the lease in step ${n}.`).join('\n');
    const { id } = await addTask(rm, { title: 'Renew the lease', description });
    for (const budgetTokens of [500, 5_000, 12_000, 24_000]) {
      const { text, tokens, considered } = await assemblePrompt(rm, id, { ...shown, budgetTokens });
      expect(tokens).toBe(tokensOf(text));
      expect(tokens).toBeLessThanOrEqual(
        budgetTokens - Math.min(defaultConfig.prompt.headroom_tokens, budgetTokens / 4),
      );
      expect(section(text, 'Requirements')).toContain('Renew the lease in step 0.');
      const of = (source: string): number =>
        considered.filter((one) => one.source === source).reduce((sum, one) => sum + one.tokens, 0);
      expect(of('code')).toBeLessThanOrEqual(defaultConfig.prompt.code_tokens);
      expect(of('context')).toBeLessThanOrEqual(defaultConfig.prompt.context_tokens);
      expect(of('chat')).toBeLessThanOrEqual(defaultConfig.prompt.chat_tokens);
      expect(considered.filter(({ source }) => source === 'context')).toHaveLength(12);
      expect(considered.every(({ verdict, sha256: hash }) => (verdict === 'left out') === (hash === null))).toBe(true);
    }
  });
});

describe('the record', () => {
  it('has the hash of exactly the prompt, and the same state gives the same prompt', async () => {
    const rm = await repository();
    write(rm.workspace.root, 'src/tickets.ts', 'tickets\n');
    const { id } = await addTask(rm, { title: 'Sell tickets' });
    const first = await assemblePrompt(rm, id, { purpose: 'run' });
    const second = await assemblePrompt(rm, id, shown);
    expect(first.sha256).toBe(sha256(Buffer.from(first.text)));
    expect(second.text).toBe(first.text);
    expect(assembliesOf(rm.store.reader, id, 10)).toMatchObject([
      {
        id: second.assembly,
        purpose: 'shown',
        sha256: first.sha256,
        tokens: first.tokens,
        bytes: Buffer.byteLength(first.text),
      },
      { id: first.assembly, purpose: 'run', sha256: first.sha256 },
    ]);
    await editTask(rm, { task: id, title: 'Sell more tickets' });
    expect((await assemblePrompt(rm, id, shown)).sha256).not.toBe(first.sha256);
  });

  it('keeps the last fifty of a task, is no change that a person would undo, and goes with the task', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'A' });
    for (let n = 0; n < 53; n++) await assemblePrompt(rm, id, shown);
    expect(assembliesOf(rm.store.reader, id, 100)).toHaveLength(50);
    expect((await undo(rm)).note).toContain('task add');
    expect(assembliesOf(rm.store.reader, id, 100)).toEqual([]);
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });
});

describe('code', () => {
  it('is found without git too, and neither links, state nor what programs wrote are taken', async () => {
    for (const rm of [await openWithProject(), await repository()]) {
      const secret = join(temporaryFolder(), 'tickets.txt');
      writeFileSync(secret, 'tickets secret');
      write(rm.workspace.root, 'src/tickets.ts', 'sell tickets here\n');
      write(rm.workspace.root, 'package-lock.json', '{"tickets": "sell tickets"}');
      write(rm.workspace.root, 'picture.bin', 'sell tickets\0');
      write(rm.workspace.root, '.env', 'SELL_TICKETS=secret');
      write(rm.workspace.root, 'keys/tickets.pem', 'sell tickets secret');
      write(rm.workspace.filesPath, 'notes.txt', 'sell tickets');
      symlinkSync(secret, join(rm.workspace.root, 'src', 'link.txt'));
      const { id } = await addTask(rm, { title: 'Sell tickets', description: 'See link.txt and .env' });
      const { considered, text } = await assemblePrompt(rm, id, shown);
      expect(considered.filter(({ source }) => source === 'code').map(({ name }) => name)).toEqual(['src/tickets.ts']);
      expect(text).not.toContain('secret');
    }
  });
});
