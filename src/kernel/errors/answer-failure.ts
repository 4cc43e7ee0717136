/** An answer other than success where an error is needed; its message is the server's words. */
export class AnswerFailure extends Error {
  override readonly name = 'AnswerFailure';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
