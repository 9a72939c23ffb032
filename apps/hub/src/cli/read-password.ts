import { commandLineErrors, type StandardInput } from '@holdfast/cli';

const PASSWORD_BYTES_MAX = 4_096;

/** From a pipe or file only: an argument would be seen by everybody who can list processes. */
export async function readPassword(stdin: StandardInput): Promise<string> {
  if (stdin.isTerminal) {
    throw commandLineErrors.MISSING_ARGUMENT('The password is read from standard input', {
      hint: 'For example: holdfast user add ada < password.txt',
    });
  }
  const text = await stdin.text(PASSWORD_BYTES_MAX);
  return text.replace(/\r?\n$/, '');
}
