/** Guidance for agents. Short on purpose: every conversation carries it. */

export const PRIME = `# np: the plan of this directory

Keep your plan in np, not in a built-in to-do list. It survives restarts and compaction, and a person watches it live. np
never asks questions. A change answers with what changed, the counts and what comes next; \`np p\` shows the whole plan.

## Start
- \`np r\` shows the plan and the last changes. Exit code 3: no session yet.
- \`np s\` starts a session. If one is active, ask your operator whether to resume or archive it; if nobody can be asked, resume it.
- \`np g s -t "title" -d "text"\` sets the goal. Name the issue and the files, so that anybody can take over.
- \`np t a -t "first" -d "text" -t "second"\` adds tasks in the order of work. Adding one again is harmless.

## Work
- One task at a time: \`np t u -i ID -s in_progress\`, then \`np t u -i ID -s completed -i ID2 -s in_progress\`.
- It cannot be done: \`-s failed -r "why"\`. It is no longer wanted: \`-s cancelled -r "why"\`.
- New work: \`np t a\`. New words: \`np t u -i ID -t "title" -r "why"\`, \`np g u -t "title" -r "why"\`.
- -s, -t, -d and -r belong to the -i before them; a single -r counts for every task that needs one.
- Several agents: \`np t claim ID --actor NAME\` first. Exit code 4: somebody else has it.
- Long text: \`-d -\` reads standard input. Ids may be shortened.

## Look
- \`np t -s pending\`, \`np g\`, \`np log\` (what happened and why); \`--json\` works everywhere.
- ☐ pending ⟳ in_progress ☑ completed ☒ failed ⊗ cancelled
- Exit codes: 0 done, 2 usage or missing reason, 3 not found, 4 conflict, 5 try again.

## End
- \`np a\` archives the session when the goal is reached and your operator agrees, or cannot be asked. Failed and open tasks
  do not prevent it, and the plan is kept.
`;

export const ONBOARD = `## Planning with np

Keep your plan in \`np\`, not in a built-in to-do list: it survives restarts, and a person watches it live.
Run \`np prime\` once at the beginning of your work and after every compaction; it explains the few commands.
Start with \`np r\` (resume) or \`np s\` (start). If \`np\` is not in PATH, ask your operator to install it.
`;

/** For clients of the MCP server, beside the descriptions of the tools. */
export const MCP_INSTRUCTIONS =
  'The plan of this directory, which a person watches live. Show it first; start a session if there is none; keep ' +
  'one task in progress; record at once what is done, failed (with a reason) or newly discovered.';
