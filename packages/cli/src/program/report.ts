import { exitCodeByKind, HoldfastError } from '@holdfast/base';
import { commandLineErrors } from '../errors.ts';
import type { Host } from '../host/host.ts';
import { jsonDocument } from '../output/output.ts';
import { createPage } from '../output/page.ts';
import type { ExitCode } from '../spec/command.ts';
import { style } from '../text/text.ts';

export interface ReportOptions {
  readonly isJson: boolean;
  readonly useColour: () => boolean;
}

/** Prints an error on standard error and returns its exit code. */
export function reportError(thrown: unknown, host: Host, { isJson, useColour }: ReportOptions): ExitCode {
  const error = thrown instanceof HoldfastError ? thrown : unexpected(thrown);
  const isDebugging = isSet(host.env['HOLDFAST_DEBUG']);
  if (isJson) {
    const { code, message, hint, details } = error;
    const stack = isDebugging ? { stack: stackWithCauses(error) } : {};
    const content = { code, message, hint, ...(details === undefined ? {} : { details }), ...stack };
    host.stderr.write(jsonDocument({ error: content }, host.stderr.isTerminal));
  } else {
    const page = createPage(host.stderr, useColour);
    page.line(style.red(style.bold('error:')), ' ', error.message, style.dim(` [${error.code}]`));
    if (error.hint !== '') page.line(style.dim('hint:'), '  ', error.hint);
    if (isDebugging) page.line(stackWithCauses(error));
  }
  return exitCodeByKind[error.kind];
}

function unexpected(thrown: unknown): HoldfastError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return commandLineErrors.INTERNAL(`Unexpected error: ${message}`, { cause: thrown });
}

function stackWithCauses(error: Error): string {
  const cause = error.cause === undefined ? '' : `\ncaused by: ${describeCause(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? stackWithCauses(cause) : String(cause);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}
