import { defineErrors } from '@holdfast/base';

export const operationErrors = defineErrors({
  INPUT_INVALID: {
    kind: 'usage',
    means: 'An input field is missing, has the wrong type or is out of range.',
    hint: 'Correct the fields that the message names. The command help, the OpenAPI document and the tool description list all fields.',
  },
});
