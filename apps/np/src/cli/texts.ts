import { commandLineErrors, type StandardInput } from '@holdfast/cli';
import { MEBIBYTE } from '@holdfast/base';

/** `-` stands for standard input, which can be read only once. One line end at its end belongs to the pipe. */
export function textReader(stdin: StandardInput): <Value extends string | undefined>(value: Value) => Promise<Value> {
  let hasRead = false;
  return async (value) => {
    if (value !== '-') return value;
    if (hasRead) throw commandLineErrors.INVALID_ARGUMENT('Only one text can come from standard input (-).');
    hasRead = true;
    const text = await stdin.text(MEBIBYTE);
    return text.replace(/\r?\n$/u, '') as typeof value;
  };
}
