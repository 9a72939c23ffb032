import { defineErrors } from '@holdfast/base';

export const operationErrors = defineErrors({
  INPUT_INVALID: {
    kind: 'usage',
    means: 'A field of the input is missing, has the wrong type or is out of range.',
    hint: 'Correct the named fields; the help of the command, the OpenAPI document and the tool description list them.',
  },
});
