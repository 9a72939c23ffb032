/** Guidance for agents. Short, because every conversation includes it. */

export const PRIME = `# np: the plan for this directory

Keep your plan in np, not in a built-in list: it survives restarts and compaction, and a person watches it live. A
change prints what changed, the counts and the next tasks; \`np p\` shows the whole plan, \`np undo\` undoes your last change.

## Start
- \`np r\` shows the plan and the last changes (exit code 3: none yet).
- \`np s\` starts a session. If one is active, ask your operator whether to resume or archive it; if you cannot ask, resume it.
- \`np g s -t "title" -d "text"\` sets the goal. Name the issue and the files.
- \`np t a -t "first" -d "text" -t "second" --after ID\` adds tasks in the order to do them; repeats are ignored.

## Work
- One task at a time: \`np t u -i ID -s in_progress\`, then \`np t u -i ID -s completed -i ID2 -s in_progress\`.
- Impossible: \`-s failed -r "why"\`. Not needed: \`-s cancelled -r "why"\`. Worth knowing: \`-n "note"\`.
- New wording: \`np t u -i ID -t "title" -r "why"\`, \`np g u -t "title" -r "why"\`.
- Options apply to the -i before them; a single -r, to every task that needs a reason.
- With several agents, set NP_ACTOR and claim first: \`np t claim ID --for 30m\` (exit code 4: taken).
- Long text: \`-d -\` reads stdin. You may shorten ids.

## View
- \`np ready\`, \`np t -s pending\`, \`np find WORDS\`, \`np log\`; \`--json\` works everywhere.
- ☐ pending ⟳ in_progress ☑ completed ☒ failed ⊗ cancelled
- Exit codes: 0 done, 2 usage or missing reason, 3 not found, 4 conflict, 5 try again.

## End
- When the goal is reached and your operator agrees or cannot be asked, run \`np a\` to archive the session. Failed and
  open tasks do not prevent it; the plan is kept.
`;

export const ONBOARD = `## Planning with np

Keep your plan in \`np\`, not in a built-in to-do list: it survives restarts, and a person watches it live.
Run \`np prime\` when you begin work and after every compaction; it explains the commands.
Start with \`np r\` (resume) or \`np s\` (start). If \`np\` is not in PATH, ask your operator to install it.
`;

/** For clients of the MCP server, in addition to the descriptions of the tools. */
export const MCP_INSTRUCTIONS =
  'np keeps the plan of this directory; a person watches it live. Show the plan first; if there is none, ' +
  'start a session. Keep one task in progress. Record completed, failed and newly discovered work at once.';
