/** Replaces secrets in a line before it is written. */
export type Redactor = (line: string) => string;

export interface SecretSources {
  /** Configured regular expressions, in addition to well-known patterns. */
  readonly patterns: readonly string[];
  /** Variables whose values are redacted, in addition to those whose name looks secret. */
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const shapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{12,}/g,
  /(?<=:\/\/[^\s:/@]{1,100}:)[^\s:/@]{3,}(?=@)/g,
];
/** `password = "…"` and similar: redacts the value, keeps the name. */
const assignment =
  /\b([A-Za-z0-9_.-]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|private[_-]?key))(["']?\s*[=:]\s*["']?)[^\s"',;]{6,}/gi;
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|KEY|CREDENTIALS?)(?:_|$)/;
/** Shorter values are not redacted, because they would match ordinary words. */
const VALUE_CHARACTERS_MIN = 8;
const MARK = '[redacted]';

export function redactor({ patterns, names, env }: SecretSources): Redactor {
  const own = patterns.map((pattern) => new RegExp(pattern, 'g'));
  const values = Object.entries(env)
    .filter(([name]) => names.includes(name) || secretName.test(name))
    .flatMap(([name, value]) => (value === undefined || value.length < VALUE_CHARACTERS_MIN ? [] : [{ name, value }]))
    // Longer values first, because one value may contain another.
    .sort((left, right) => right.value.length - left.value.length);
  let isInKey = false;
  return (line) => {
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) isInKey = true;
    if (isInKey) {
      isInKey = !/-----END [A-Z ]*PRIVATE KEY-----/.test(line);
      return MARK;
    }
    let safe = line;
    for (const { name, value } of values) safe = safe.replaceAll(value, `[redacted ${name}]`);
    for (const shape of [...shapes, ...own]) safe = safe.replace(shape, MARK);
    return safe.replace(assignment, `$1$2${MARK}`);
  };
}
