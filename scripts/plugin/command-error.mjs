/** A command that cannot be carried out; its message is a sentence for the person who typed it. */
export class CommandError extends Error {}
