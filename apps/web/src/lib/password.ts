export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_HELP: string = `At least ${PASSWORD_LENGTH_MIN} characters. Four or five random words make a good password.`;
