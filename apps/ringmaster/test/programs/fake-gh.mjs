#!/usr/bin/env node
/**
 * Behaves like gh as documented, for the commands that ringmaster uses: `pr list`, `pr create`, `pr view`, `api` for
 * comments on lines, and `issue list`. GH_STATE names a JSON file with `pulls` and `issues`; tests edit it as reviewers
 * on GitHub would. An unknown flag fails, as in gh.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const path = process.env.GH_STATE;
const state = JSON.parse(readFileSync(path, 'utf8'));
const [noun, verb, ...rest] = process.argv.slice(2);
const flags = {};
const words = [];
for (let at = 0; at < rest.length; at += 1) {
  if (rest[at].startsWith('--')) flags[rest[at].slice(2)] = rest[(at += 1)];
  else words.push(rest[at]);
}
const fail = (text) => {
  console.error(text);
  process.exit(1);
};
const accept = (...names) => {
  const unknown = Object.keys(flags).find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`unknown flag: --${unknown}`);
};
/** Prints only the fields that --json names. */
const pick = (object) => Object.fromEntries(flags.json.split(',').map((name) => [name, object[name]]));
state.calls = [...(state.calls ?? []), process.argv.slice(2)];

const commands = {
  'pr list'() {
    accept('repo', 'head', 'state', 'json', 'limit');
    const found = state.pulls.filter(({ headRefName }) => headRefName === flags.head);
    console.log(JSON.stringify(found.filter((pull) => flags.state === 'all' || pull.state === 'OPEN').map(pick)));
  },
  'pr create'() {
    accept('repo', 'head', 'base', 'title', 'body-file', 'body');
    const body = flags['body-file'] === '-' ? readFileSync(0, 'utf8') : flags.body;
    if (state.pulls.some((pull) => pull.headRefName === flags.head && pull.state === 'OPEN')) {
      fail(`a pull request for branch "${flags.head}" into branch "${flags.base}" already exists`);
    }
    const number = state.pulls.length + 1;
    const url = `https://github.com/${flags.repo}/pull/${number}`;
    const made = { number, url, state: 'OPEN', title: flags.title, body, baseRefName: flags.base };
    const empty = { reviewDecision: '', mergeCommit: null, reviews: [], comments: [], onLines: [] };
    state.pulls.push({ ...made, headRefName: flags.head, ...empty });
    console.log(url);
  },
  'pr view'() {
    accept('repo', 'json');
    const pull = state.pulls.find(({ number }) => number === Number(words[0]));
    if (pull === undefined) fail('GraphQL: Could not resolve to a PullRequest');
    console.log(JSON.stringify(pick(pull)));
  },
  'issue list'() {
    accept('repo', 'state', 'limit', 'json');
    const wanted = state.issues.filter((issue) => flags.state === 'all' || issue.state === 'OPEN');
    console.log(JSON.stringify(wanted.slice(0, Number(flags.limit ?? 30)).map(pick)));
  },
};
if (noun === 'api') {
  const [route, query] = verb.split('?');
  const number = Number(/^repos\/acme\/shop\/pulls\/(\d+)\/comments$/.exec(route)?.[1]);
  const wanted = new URLSearchParams(query);
  const { onLines } = state.pulls.find((pull) => pull.number === number);
  const sorted = wanted.get('direction') === 'desc' ? onLines.toReversed() : onLines;
  console.log(JSON.stringify(sorted.slice(0, Number(wanted.get('per_page') ?? 30))));
} else (commands[`${noun} ${verb}`] ?? (() => fail(`unknown command ${noun} ${verb}`)))();
writeFileSync(path, JSON.stringify(state));
