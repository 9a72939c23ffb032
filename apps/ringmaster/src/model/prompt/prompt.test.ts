import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { type Candidate, choose, type SourceLimit } from './choose.ts';
import { fenced, frameOf, layOut } from './layout.ts';
import { isNamed, namesIn, relevances, termsOf } from './relevance.ts';
import { cutToTokens, excerptOf, tokensOf } from './tokens.ts';

const text = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 40 })
  .map((lines) => lines.join('\n'));

describe('room', () => {
  it('is never exceeded by what is cut, and what fits is left as it is', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('beginning' as const, 'end' as const),
        (whole, max, keep) => {
          const { text: cut, isCut } = cutToTokens(whole, max, keep);
          expect(tokensOf(cut)).toBeLessThanOrEqual(max);
          expect(isCut).toBe(tokensOf(whole) > max);
          if (!isCut) expect(cut).toBe(whole);
        },
      ),
    );
  });

  it('counts other alphabets as more than plain letters', () => {
    expect(tokensOf('abcdefgh')).toBe(2);
    expect(tokensOf('日本語日本語日本')).toBe(6);
    expect(tokensOf('')).toBe(0);
  });

  it('says how many lines are missing, and from which end', () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
    expect(cutToTokens(lines, 30).text).toMatch(/^line 0\nline 1\n[^]*\[… \d+ of 20 lines left out\]$/);
    expect(cutToTokens(lines, 30, 'end').text).toMatch(/^\[… \d+ of 20 lines left out\]\n[^]*line 19$/);
  });

  it('is not exceeded by excerpts, which show the lines that matter', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 300 }), (whole, max) => {
        expect(tokensOf(excerptOf(whole, new Set(['a', 'the']), max).text)).toBeLessThanOrEqual(max);
      }),
    );
    const lines = Array.from({ length: 400 }, (_, n) => (n === 250 ? 'const lease = 5;' : `unrelated ${n}`));
    const { text: part, isCut } = excerptOf(lines.join('\n'), new Set(['lease']), 120);
    expect(isCut).toBe(true);
    expect(part).toContain('const lease = 5;\nunrelated 251');
    expect(part).toMatch(/^\[… 242 lines\]\n/);
  });
});

describe('words', () => {
  it('are taken out of names, and those that mean nothing are left out', () => {
    expect([...termsOf('Fix the leaseRenewal of claim_best_task').keys()].sort()).toEqual([
      'best',
      'claim',
      'claim_best_task',
      'lease',
      'leaserenewal',
      'renewal',
    ]);
  });

  it('of a file name it, whole or by its end', () => {
    const names = namesIn('Change ./src/store/claim.ts, and `renewLease` in lease.rs.');
    expect(isNamed('apps/x/src/store/claim.ts', names)).toBe(true);
    expect(isNamed('core/lease.rs', names)).toBe(true);
    expect(isNamed('core/release.rs', names)).toBe(false);
    expect(isNamed('store/claim.ts', names)).toBe(false);
  });

  it('in common make a document relevant, rare ones more; a name most', () => {
    const query = { terms: termsOf('Renew the lease of a worker'), names: namesIn('see docs/lease.md') };
    const [named = 0, alike = 0, common = 0, none = 0] = relevances(
      [
        { path: 'docs/lease.md', text: 'How a lease is renewed' },
        { path: 'a.md', text: 'The lease, and how workers renew a lease' },
        { path: 'b.md', text: 'A worker has a hat' },
        { path: 'c.md', text: 'Tickets' },
      ],
      query,
    );
    expect(named).toBeGreaterThan(alike);
    expect(alike).toBeGreaterThan(common);
    expect(common).toBeGreaterThan(none);
    expect(none).toBe(0);
  });
});

describe('choosing', () => {
  const candidate = fc
    .record({
      source: fc.constantFrom('task' as const, 'chat' as const, 'code' as const),
      name: fc.uuid(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      body: text,
    })
    .map(({ body, ...rest }): Candidate => ({ ...rest, reason: 'test', fit: (tokens) => cutToTokens(body, tokens) }));

  it('stays within the limit of each source and within the whole, and gives every candidate a verdict', () => {
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 30 }),
        fc.tuple(fc.nat(500), fc.nat(500), fc.nat(500)),
        fc.nat(1_000),
        (candidates, [task, chat, code], budget) => {
          const limits: SourceLimit[] = [
            { source: 'task', maxTokens: task, threshold: 0 },
            { source: 'chat', maxTokens: chat, threshold: 0 },
            { source: 'code', maxTokens: code, threshold: 0.5 },
          ];
          const { chosen, considered, tokens } = choose(candidates, limits, budget);
          expect(considered).toHaveLength(candidates.length);
          expect(tokens).toBeLessThanOrEqual(budget);
          for (const { source, maxTokens, threshold } of limits) {
            const own = chosen.filter((one) => one.source === source);
            expect(own.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(maxTokens);
            expect(own.every(({ score }) => score >= threshold)).toBe(true);
          }
          const room = tokensOf(frameOf({ id: 'bd-1', title: 'A title' })) + tokens;
          expect(tokensOf(layOut({ id: 'bd-1', title: 'A title', chosen }))).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});

describe('blocks of code', () => {
  it('cannot be ended by what is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('```', '`', '``````', 'code', '~~~'), { maxLength: 12 }), (lines) => {
        const block = fenced(lines.join('\n'), 'ts').split('\n');
        const fence = /^(`+)ts$/.exec(block[0] ?? '')?.[1] ?? '';
        expect(fence.length).toBeGreaterThanOrEqual(3);
        expect(block.at(-1)).toBe(fence);
        expect(block.slice(1, -1).some((line) => line.startsWith(fence))).toBe(false);
      }),
    );
  });
});
