import { defineErrors } from '@holdfast/base';

export const commandLineErrors = defineErrors({
  UNKNOWN_COMMAND: {
    kind: 'usage',
    means: 'The word at the place of a command is not one of the commands there.',
    hint: 'Run the command with --help to see its commands.',
  },
  MISSING_COMMAND: {
    kind: 'usage',
    means: 'A group of commands was called without naming one of them.',
    hint: 'Run the command with --help to see its commands.',
  },
  UNKNOWN_OPTION: {
    kind: 'usage',
    means: 'The command has no option of this name.',
    hint: 'Run the command with --help to see its options. Write -- before an argument that begins with a dash.',
  },
  MISSING_OPTION: {
    kind: 'usage',
    means: 'An option that the command cannot do without was not given.',
    hint: 'Run the command with --help to see its options.',
  },
  MISSING_VALUE: {
    kind: 'usage',
    means: 'An option that takes a value was given without one.',
    hint: 'Put the value after the option, or write --option=value if the value looks like an option itself.',
  },
  MISSING_ARGUMENT: {
    kind: 'usage',
    means: 'An argument that the command cannot do without was not given.',
    hint: 'Run the command with --help to see its arguments.',
  },
  UNEXPECTED_ARGUMENT: {
    kind: 'usage',
    means: 'The command was given more arguments than it takes, or a value for an option that takes none.',
    hint: 'Put quotes around an argument that contains spaces.',
  },
  INVALID_ARGUMENT: {
    kind: 'usage',
    means: 'An argument or the value of an option is not of the form that the command expects.',
    hint: 'Run the command with --help to see what it expects.',
  },
  INPUT_TOO_LARGE: {
    kind: 'usage',
    means: 'Standard input holds more than the command is willing to keep in memory.',
    hint: 'Send the input in smaller pieces.',
  },
  INPUT_NOT_TEXT: {
    kind: 'usage',
    means: 'Standard input is not valid UTF-8.',
    hint: 'Convert the input to UTF-8 first, for example with iconv.',
  },
  OUTPUT_FAILED: {
    kind: 'failed',
    means: 'Standard output could not be written, for example because the disk is full.',
    hint: 'Make room where the output goes. What the command changed is already stored.',
  },
  INTERNAL: {
    kind: 'failed',
    means: 'Something happened that the program does not expect: a bug, or a fault of the machine.',
    hint: 'Run it again with HOLDFAST_DEBUG=1 to see where it happened, and report it.',
  },
});
