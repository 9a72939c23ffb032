import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { answerQuestions } from '../lib/child.ts';

/** Minimal Hono: one route that returns the given JSON. */
const body = JSON.parse(process.argv[2] ?? '{}') as object;
const app = new Hono();
app.get('/', (context) => context.json(body));

const port = new Promise<number>((resolve) => {
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port));
});
answerQuestions(() => port);
