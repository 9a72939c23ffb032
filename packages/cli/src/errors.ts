import { defineErrors } from '@holdfast/base';

export const commandLineErrors = defineErrors({
  UNKNOWN_COMMAND: {
    kind: 'usage',
    means: 'There is no command with this name.',
    hint: 'Use --help to list the commands.',
  },
  MISSING_COMMAND: {
    kind: 'usage',
    means: 'The command needs a subcommand, and none was given.',
    hint: 'Run the command with --help to see its subcommands.',
  },
  UNKNOWN_OPTION: {
    kind: 'usage',
    means: 'The command has no option with this name.',
    hint: 'Run the command with --help to see its options. Write -- before an argument that starts with a dash.',
  },
  MISSING_OPTION: {
    kind: 'usage',
    means: 'A required option is missing.',
    hint: 'Run the command with --help to see its options.',
  },
  MISSING_VALUE: {
    kind: 'usage',
    means: 'An option needs a value, but none was given.',
    hint: 'Put the value after the option, or write --option=value if the value looks like an option itself.',
  },
  MISSING_ARGUMENT: {
    kind: 'usage',
    means: 'A required argument is missing.',
    hint: 'Run the command with --help to see its arguments.',
  },
  UNEXPECTED_ARGUMENT: {
    kind: 'usage',
    means: 'The command received more arguments than it takes, or a value for an option that takes no value.',
    hint: 'Put quotes around an argument that contains spaces. Run the command with --help to see what it accepts.',
  },
  INVALID_ARGUMENT: {
    kind: 'usage',
    means: "An argument or an option's value is not valid.",
    hint: 'Run the command with --help to see what it expects.',
  },
  INPUT_TOO_LARGE: {
    kind: 'usage',
    means: 'Standard input is larger than the command accepts.',
    hint: 'Send the input in smaller pieces.',
  },
  INPUT_NOT_TEXT: {
    kind: 'usage',
    means: 'Standard input or an argument is not valid UTF-8.',
    hint: 'Convert the input to UTF-8 first, for example with iconv.',
  },
  WORKING_DIRECTORY_GONE: {
    kind: 'not_found',
    means:
      'The command needs the working directory, for example for a relative path, but it was deleted or moved away.',
    hint: 'Change to an existing directory, and repeat the command.',
  },
  SETUP_FILE_UNREADABLE: {
    kind: 'failed',
    means:
      'The command cannot read, write or parse a configuration file of another program, such as a coding agent or ' +
      'the shell.',
    hint: 'The file was not changed. Correct the file or its permissions, then repeat the command.',
  },
  OUTPUT_FAILED: {
    kind: 'failed',
    means: 'The command could not write to standard output, for example because the disk is full.',
    hint:
      'If the disk is full, free some space. If the command changes data, the changes are already stored, so do not ' +
      'repeat it.',
  },
  INTERNAL: {
    kind: 'failed',
    means: 'An unexpected error occurred: a bug in the program, or a hardware or system fault.',
    hint: 'Run the command again with HOLDFAST_DEBUG=1 to see where it failed, and report the error.',
  },
});
