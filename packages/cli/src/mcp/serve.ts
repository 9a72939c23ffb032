import type { Lines } from '../host/stdin.ts';
import { answerLine } from './protocol.ts';
import type { ServerInfo, Tool } from './tool.ts';

type Send = (text: string) => void;

/** Answers until the input ends, each request as soon as it is done, so a slow tool blocks no other. */
export async function serveTools(lines: Lines, send: Send, tools: readonly Tool[], info: ServerInfo): Promise<void> {
  const asked = new Set<Promise<void>>();
  for await (const line of lines.tolerant()) {
    const replied = reply(line, send, (read) => answerLine(read, tools, info));
    asked.add(replied);
    void replied.finally(() => asked.delete(replied));
  }
  await Promise.all(asked);
}

/** Answers in order; pipelined requests run one after the other. */
export async function serveToolsInOrder(
  lines: Lines,
  send: Send,
  tools: readonly Tool[],
  info: ServerInfo,
): Promise<void> {
  for await (const line of lines.tolerant()) {
    await reply(line, send, (read) => answerLine(read, tools, info, { isOrdered: true }));
  }
}

type Answer = (line: string | undefined) => Promise<string | undefined>;

async function reply(line: string | undefined, send: Send, answer: Answer): Promise<void> {
  if (line?.trim() === '') return;
  const said = await answer(line);
  if (said !== undefined) send(`${said}\n`);
}
