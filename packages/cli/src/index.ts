/**
 * Everything that Holdfast commands share: describe commands as data, implement them, and call `main`.
 *
 * @module
 */
export { commandLineErrors } from './errors.ts';
export type { StandardInput } from './host/stdin.ts';
export { type CommandBinding, commandsFor } from './operation/bind-command.ts';
export type { Page } from './output/page.ts';
export { printVerified, tellVerified, verifiedExitCode } from './output/verified.ts';
export { optionBatches } from './parse/batches.ts';
export { serverAddress } from './parse/server-address.ts';
export { main } from './program/main.ts';
export { programProblems } from './program/problems.ts';
export { setupArguments, setupOptions } from './setup/spec.ts';
export { defineCommand, defineProgram } from './spec/command.ts';
export type { CommandSpec, ExitCode, ProgramSpec } from './spec/command.ts';
export type { Candidate, Completer, CompletionRequest, OptionSpecs } from './spec/option.ts';
export type { CommandContext } from './spec/context.ts';
export type { Column } from './text/table.ts';
export { style, type Text } from './text/text.ts';
export { displayWidth, takeColumns } from './text/width.ts';
