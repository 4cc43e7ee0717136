/** Error of a command that cannot be carried out; its message is for the user. */
export class CommandError extends Error {}
