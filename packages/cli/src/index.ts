/**
 * Everything that Holdfast commands share: describe commands as data, implement them, and call `main`.
 *
 * @module
 */
export { commandLineErrors } from './errors.ts';
export type { Host, OutputStream } from './host/host.ts';
export type { StandardInput } from './host/stdin.ts';
export { type CommandBinding, commandsFor } from './operation/command.ts';
export type { Output } from './output/output.ts';
export type { Page } from './output/page.ts';
export type { Progress } from './output/progress.ts';
export { printVerified, tellVerified, verifiedExitCode } from './output/verified.ts';
export { optionBatches } from './parse/batches.ts';
export { main, runProgram } from './program/main.ts';
export { programProblems } from './program/problems.ts';
export { defineCommand, defineProgram } from './spec/command.ts';
export type { CommandModule, CommandSpec, ExampleSpec, ExitCode, ProgramSpec } from './spec/command.ts';
export type { Candidate, Completer, CompleterModule, CompletionRequest } from './spec/completer.ts';
export type { CommandContext, CommandInput, GivenOption } from './spec/context.ts';
export type { ArgumentSpec, ArgumentValues, OptionSpec, OptionSpecs, OptionValues } from './spec/option.ts';
export type { Column } from './text/table.ts';
export { style } from './text/text.ts';
export type { Styled, StyleName, Text } from './text/text.ts';
export { displayWidth, takeColumns } from './text/width.ts';
