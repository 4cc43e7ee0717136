/** Wraps a failed answer where an error is needed; its message comes from the server. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
