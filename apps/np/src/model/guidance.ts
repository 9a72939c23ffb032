/** What an agent is told. Short on purpose: it is read into a context that has other things to hold. */

export const PRIME = `# np: the plan of this directory

You keep your plan in np instead of a built-in to-do list. It survives restarts and compaction, and a person watches it
live. Every command below answers with the whole resulting plan; nothing ever asks a question.

## Begin
- \`np r\` shows the plan of this directory and what was done last. Exit code 3: there is none yet.
- \`np s\` starts a session. If it says that one is already active, ask your operator whether to resume or archive it.
- \`np g s -t "title" -d "description"\` sets the goal. Name the issue and the files it is about, so that anybody can
  take over with nothing but the plan.
- \`np t a -t "first" -d "details" -t "second" -d "details"\` adds tasks in the order of work. Adding one again is harmless.

## Work
- Before you start a task: \`np t u -i ID -s in_progress\`. One at a time.
- As soon as it is done: \`np t u -i ID -s completed\`, best together with the next: \`-i ID2 -s in_progress\`.
- If it cannot be done: \`np t u -i ID -s failed -r "why"\`. If it is no longer wanted: \`-s cancelled -r "why"\`.
- New work you discover: \`np t a\`. Plans grow; that is what they are for.
- Other words: \`np t u -i ID -t "title" -d "text" -r "why"\`, \`np g u -t "title" -r "why"\`.
- Several agents on one plan: \`np t claim ID --actor NAME\` before starting. Exit code 4: somebody else has it.
- Text with quotes or many lines: give \`-d -\` and send it on standard input.

## Statuses
☐ pending, ⟳ in_progress, ☑ completed, ☒ failed, ⊗ cancelled. Only failed, cancelled and new words need a reason (-r).

## Look
- \`np t\` tasks, \`np t -s pending\` only some, \`np g\` the goal, \`np log\` what happened and why.
- \`--json\` on any command: {"schema_version":1,"data":…}; errors are JSON on standard error.
- Exit codes: 0 done, 2 wrong usage or missing reason, 3 not found (no session, goal or task), 4 conflict, 5 try again.

## End
- When the goal is reached and your operator agrees: \`np a\` archives the session.
`;

export const ONBOARD = `## Planning with np

Keep your plan in \`np\`, not in a built-in to-do list: it survives restarts, and a person watches it live.
Run \`np prime\` once at the beginning of your work and after every compaction; it explains the few commands.
Start with \`np r\` (resume) or \`np s\` (start). If \`np\` is not in PATH, ask your operator to install it.
`;
