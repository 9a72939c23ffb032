import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError, readTomlFile } from '@holdfast/base';

import { MediaError, memorySource } from '../../../apps/audiobooks/src/media/source.ts';
import { probe } from '../../../apps/audiobooks/src/media/probe.ts';
import { readAbsMetadata } from '../../../apps/audiobooks/src/model/abs-metadata.ts';
import { parseDumpLine } from '../../../apps/audiobooks/src/model/dump.ts';
import { readCue, readNfo, readOpf } from '../../../apps/audiobooks/src/model/sidecar.ts';
import { mediaSamples } from '../../../apps/audiobooks/test/samples.ts';
import { parseChanges, parseLog, parseTree } from '../../../apps/codex/src/model/git.ts';
import { editFrontMatter } from '../../../apps/codex/src/model/note/edit-properties.ts';
import { factsOf } from '../../../apps/codex/src/model/note/facts.ts';
import { parseNote } from '../../../apps/codex/src/model/note/parse-note.ts';
import { parseSearch } from '../../../apps/codex/src/model/note/search-query.ts';
import type { NotebookPath } from '../../../apps/codex/src/model/path.ts';
import { parsePlan } from '../../../apps/np/src/model/markdown-plan.ts';
import { linksOf, readBeadsLine } from '../../../apps/ringmaster/src/model/beads/line.ts';
import { issueToTask } from '../../../apps/ringmaster/src/model/beads/to-task.ts';
import { parsePlan as parseRingmasterPlan } from '../../../apps/ringmaster/src/model/markdown-plan.ts';
import { readTranscript } from '../../../apps/ringmaster/src/worker/transcript.ts';
import { detectFormat, jsonFormat } from '../../../apps/utask/src/model/import-formats/format.ts';
import { taskwarriorFormat } from '../../../apps/utask/src/model/import-formats/taskwarrior.ts';
import { todotxtFormat } from '../../../apps/utask/src/model/import-formats/todotxt.ts';
import { readCookie } from '../../../packages/http/src/response/cookies.ts';
import { isKnown, requireMatch } from '../../../packages/http/src/response/etag.ts';
import { fileResponse } from '../../../packages/http/src/response/file-response.ts';
import { parseJson } from '../../../packages/http/src/request/body.ts';
import { readQuery } from '../../../packages/http/src/request/query.ts';
import { sse } from '../../../packages/http/src/sse/sse.ts';
import { decodeText, encodeText } from '../../../packages/keyspace/src/keys/escape.ts';
import { decodeSections } from '../../../packages/sqlite/src/journal/changeset.ts';
import { decodeKeyChanges } from '../../../packages/sqlite/src/journal/key-changes.ts';

/** A parser of bytes that come from outside. */
export interface FuzzTarget {
  readonly name: string;
  /** Valid inputs, from which the fuzzer starts. */
  samples(): readonly (string | Buffer)[];
  /** Parses one input. May throw an error with a code; every other error is a violation. */
  run(bytes: Buffer, folder: string): unknown;
}

const NOW = '2026-11-18T00:00:00.000Z';
const NOTE = `---\ntitle: "A: b"\ntags: [x, 'y z', #c]\ndate: 2026-01-02\nlist:\n  - 1\n  - {a: b}\ntext: |\n  lines\n---\n# Head\n\n[[Target#part|shown]] ![](img.png) [a](<b c.md> "t") #tag/sub\n\n\`\`\`js\n[[no]]\n\`\`\`\n- [ ] task ^block\n`;

/** Makes a target whose input is text. Invalid UTF-8 becomes replacement characters, as when a file is read. */
const text = (name: string, samples: readonly string[], run: (text: string) => unknown): FuzzTarget => ({
  name,
  samples: () => samples,
  run: (bytes) => run(bytes.toString('utf8')),
});

/** Makes a target whose input is the value of a header. Values that no client can send are skipped. */
const header = (
  name: string,
  samples: readonly string[],
  run: (value: string, folder: string) => unknown,
): FuzzTarget => ({
  name,
  samples: () => samples,
  run: (bytes, folder) => {
    // Node refuses other characters in a header.
    const value = bytes.toString('latin1').replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
    return run(value, folder);
  },
});

function expectEqual(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}`);
}

const withHeader = (name: string, value: string): Request =>
  new Request('http://localhost/x', { headers: { [name]: value } });

const BEADS = `{"id":"bd-1","title":"One","status":"open","priority":2,"issue_type":"bug","created_at":"2026-01-02T03:04:05Z","labels":["a"],"dependencies":[{"issue_id":"bd-1","depends_on_id":"bd-2","type":"blocks"}],"comments":[{"id":1,"text":"x"}]}`;

const textTargets: readonly FuzzTarget[] = [
  text('keys', ['a/b', 'é\u0000~x', '%', ':'], (value) => {
    const given = value.toWellFormed();
    expectEqual(decodeText(encodeText(given)), given, 'a key changed');
    decodeText(value);
  }),
  text('json', ['{"a":[1,"b",null,true,{"c":1.5e3}]}', '"\\u005f_proto__"'], (value) => parseJson(value)),
  text(
    'jsonl',
    ['{"type":"book","id":"x","title":"Emma","authors":["A"]}', '{"type":"progress","position_ms":5}'],
    (value) => value.split('\n').map((line) => parseDumpLine(line)),
  ),
  text(
    'tasks',
    [
      '(A) 2026-01-02 Call +home @phone due:2026-02-03\nx 2026-01-03 2026-01-02 Done',
      '[{"uuid":"6f1c3d7e-3c1f-4c7a-9d57-0d2f4b1f0a11","description":"x","status":"pending","entry":"20260102T030405Z","tags":["a"]}]',
      '{"data":[{"id":"a1","text":"x","tags":["y"],"status":"open"}]}',
    ],
    (value) => {
      const format = { json: jsonFormat, taskwarrior: taskwarriorFormat, todotxt: todotxtFormat }[detectFormat(value)];
      const tasks = format.read(value, NOW);
      format.read(format.write(tasks).text, NOW);
    },
  ),
  text('beads', [BEADS, '{"_type":"memory","key":"k"}', '{"id":"bd-3","status":"tombstone"}'], (value) => {
    const line = readBeadsLine(value, 1);
    if (line?.kind === 'issue') return [issueToTask(line.issue, NOW), linksOf(line.issue)];
    return line;
  }),
  text('note', [NOTE, '---\na: &x [*x]\n---\n', '<details>\n[[x]]\n</details>\n'], (value) => parseNote(value)),
  text('facts', [NOTE, '# H\n```dataview\n```\n[[a]] ![[b.png|100]]\n'], (value) =>
    factsOf('a/b.md' as NotebookPath, Buffer.from(value)),
  ),
  text('properties', [NOTE, '---\n---\n', '---\na: 1\n'], (value) => {
    const edited = editFrontMatter(value, { set: { status: 'done' }, unset: ['tags'], only: false });
    expectEqual(parseNote(edited).properties['status'], 'done', 'an edited property is missing');
  }),
  text('search', ['tag:a -b "c d" path:x/ created:>2026-01-01', '(a OR b) NOT c*'], (value) => parseSearch(value)),
  text(
    'plan',
    ['# Goal\n\ntext\n\n## Tasks\n\n- [ ] one\n  - [x] two\n1. three\n', '# P\n## A\n- [ ] b (depends: a)\n'],
    (value) => [parsePlan(value), parseRingmasterPlan(value)],
  ),
  text(
    'opf',
    [
      '<?xml version="1.0"?><package><metadata><dc:title>Dune</dc:title><dc:creator opf:role="aut">F &amp; H</dc:creator><meta name="calibre:series" content="x"/></metadata></package>',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;<![CDATA[x]]><!-- y --></a>',
    ],
    (value) => readOpf(value),
  ),
  text(
    'nfo',
    ['Title: Dune\nAuthor: X\nDuration: 1:02:03\nISBN: 9780000000000\n', '<audiobook><title>x</title></audiobook>'],
    (value) => readNfo(value),
  ),
  text(
    'metadata',
    ['{"title":"x","authors":["a"],"series":["s #1"],"chapters":[{"id":0,"start":0,"end":1.5,"title":"c"}]}'],
    (value) => readAbsMetadata(value),
  ),
  text('cue', ['TITLE "x"\nFILE "a.mp3" MP3\n  TRACK 01 AUDIO\n    TITLE "one"\n    INDEX 01 00:00:00\n'], (value) =>
    readCue(value),
  ),
  text(
    'transcript',
    [
      '{"type":"result","usage":{"input_tokens":5},"total_cost_usd":0.1}\n{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}',
    ],
    (value) =>
      (
        ['claude-json', 'codex-json', 'gemini-json', 'opencode-json', 'text'] as Parameters<typeof readTranscript>[1][]
      ).map((format) => readTranscript(value.split('\n'), format)),
  ),
  text(
    'git',
    [
      '\u0001abc\u0000Ada\u0000a@b\u00002026-01-02T03:04:05+00:00\u0000subject\n\nbody\u0000\nM\u0000a.md\u0000R100\u0000a\u0000b\u0000',
    ],
    (value) => [parseLog(value, ''), parseLog(value, 'notes/'), parseChanges(value, '')],
  ),
  text('query', ['/x?a=1&b=2&a=3#h', '/x?q=%F0%9F%92%A9&constructor=1&__proto__=2'], (value) => readQuery(value)),
];

const headerTargets: readonly FuzzTarget[] = [
  header('etags', ['"r1", W/"abc", "x,y"', '*'], (value) => {
    isKnown(value, '"r1"');
    requireMatch(withHeader('if-match', value)).assert('"r1"');
  }),
  header('cookies', ['a=b; holdfast_session=hf_x; c="d"'], (value) => readCookie(value, 'holdfast_session')),
  header('ranges', ['bytes=0-4', 'bytes=-3', 'bytes=5-', 'bytes=0-1,3-4'], async (value, folder) => {
    const path = join(folder, 'ranges.bin');
    writeFileSync(path, '0123456789');
    const file = { fd: openSync(path, 'r'), size: 10, etag: '"e"', headers: {} };
    const answer = fileResponse(withHeader('range', value), file);
    const body = await answer.text();
    const [, start, end] = /^bytes (\d+)-(\d+)\/10$/u.exec(answer.headers.get('content-range') ?? 'bytes 0-9/10') ?? [];
    expectEqual(body, '0123456789'.slice(Number(start), Number(end) + 1), 'a range has other bytes');
  }),
  header('events', ['17', 'np:12;ut:3', 'r99999999999999999999'], async (value) => {
    const feed = {
      head: () => '1',
      accepts: (id: string) => /^\d+$/u.test(id),
      open: () => ({ async *[Symbol.asyncIterator]() {} }),
    };
    const streams = {
      add: () => undefined,
      remove: () => undefined,
      retryMs: 1,
      recheckMs: 1,
      isStillAllowed: () => true,
    };
    const input = { request: withHeader('last-event-id', value), streams, log: { error: () => undefined } };
    const answer = await sse(input as unknown as Parameters<typeof sse>[0], { feed });
    await answer.body?.cancel();
  }),
];

/** The error that a caller chooses for input that a parser refuses. */
class Refusal extends Error {}

const byteTargets: readonly FuzzTarget[] = [
  {
    name: 'toml',
    samples: () => ['[a]\nb = "c"\n[[d]]\ne = [1, 2.5, true, 1979-05-27T07:32:00Z]\nf = """x\ny"""\n', 'a.b = {c = 1}'],
    async run(bytes, folder) {
      const path = join(folder, 'input.toml');
      writeFileSync(path, bytes);
      const read = await readTomlFile(path, (reason) => new Refusal(reason));
      for (const section of Object.keys(read?.values ?? {})) read?.lineOf(section, undefined, 0);
    },
  },
  {
    name: 'media',
    samples: mediaSamples,
    async run(bytes) {
      const { durationMs, chapters } = await probe(memorySource(bytes));
      if (!(durationMs > 0) || chapters.some(({ startMs, endMs }) => startMs >= endMs)) throw new Error('impossible');
    },
  },
  {
    name: 'git-tree',
    samples: () => [
      Buffer.concat([Buffer.from('100644 a.md\0'), Buffer.alloc(20, 7), Buffer.from('40000 b\0'), Buffer.alloc(20, 9)]),
    ],
    run: (bytes) => parseTree(bytes, 20),
  },
  {
    name: 'journal',
    samples: () => [
      Buffer.from([0x54, 2, 1, 0, 0x74, 0, 18, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 3, 1, 0x61]),
      Buffer.from('[["a",null,"b"],["c","d",null]]'),
    ],
    run(bytes) {
      for (const decode of [() => decodeSections(bytes), () => decodeKeyChanges(bytes.toString('utf8'))]) {
        try {
          decode();
        } catch {
          // The journal turns every error of these functions into one with a code.
        }
      }
    },
  },
];

export const fuzzTargets: readonly FuzzTarget[] = [...textTargets, ...headerTargets, ...byteTargets];

/** Returns whether a parser may refuse its input with this error. */
export function isExpected(error: unknown): boolean {
  return isHoldfastError(error) || error instanceof MediaError || error instanceof Refusal;
}
