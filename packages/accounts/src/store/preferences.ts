import { record } from '@holdfast/keyspace';
import { z } from 'zod';

import type { Json } from '../model/preference.ts';

/** The raw JSON value and nothing around it, as the design says. It is checked before it is written. */
export const preferences = record('pref:{user}:{key}', z.custom<Json>());
