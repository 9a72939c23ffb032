#!/usr/bin/env node
/** Appends the notification on standard input to the file that the first argument names. */
import { appendFileSync, readFileSync } from 'node:fs';

appendFileSync(process.argv[2], `${readFileSync(0, 'utf8').trim()}\n`);
