import { ApiError, type Problem } from '#shared/errors';
import type { TextValues } from '#shared/text';

/** An error as plain data. */
export interface PlainError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Code and constraint of an error of the database. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly refusal: { readonly problem: Problem; readonly values: TextValues; readonly field: string | undefined; readonly data: unknown } | undefined;
  /** Number of the error among those that its sender has sent. */
  readonly id: number;
  /** Number of the error of the receiver that comes back with it. */
  readonly returned: number | undefined;
}

/** Reply of a function of the other process. */
export type PlainReply = { readonly value: unknown } | { readonly error: PlainError };

/** An error that came from the other process, with its number there. */
interface ReceivedError {
  readonly receivedId?: number | undefined;
}

/** Errors that went to the other process; only the last hundred, because most of them never come back. */
export class SentErrors {
  private readonly sent = new Map<number, unknown>();
  private last = 0;

  /** The server sends no stacks, which name its files. */
  constructor(private readonly sendsStacks: boolean) {}

  /** Runs a function for the other process and returns its value or its error. */
  async reply(work: () => unknown): Promise<PlainReply> {
    try {
      return { value: await work() };
    } catch (error) {
      return { error: this.plain(error) };
    }
  }

  /** Returns the value of a reply, or throws its error: the one that was sent, if it comes back. */
  valueOf(reply: PlainReply): unknown {
    if (reply !== null && typeof reply === 'object' && 'value' in reply) return reply.value;
    const { error } = (reply ?? {}) as { readonly error?: Partial<PlainError> };
    throw (error?.returned !== undefined && this.sent.get(error.returned)) || restored(error ?? {});
  }

  private plain(error: unknown): PlainError {
    const { message, stack, cause, code, constraint } = (error instanceof Error ? error : new Error(String(error))) as Error &
      Record<'code' | 'constraint', unknown>;
    const { receivedId } = (error ?? {}) as ReceivedError;
    const { problem, values, field, data } = error instanceof ApiError ? error : ({} as Partial<ApiError>);
    return {
      message,
      stack: !this.sendsStacks ? undefined : cause instanceof Error ? `${stack}\ncaused by ${cause.stack}` : stack,
      code: typeof code === 'string' ? code : undefined,
      constraint: typeof constraint === 'string' ? constraint : undefined,
      refusal: problem && { problem, values: values ?? {}, field, data },
      id: this.remember(error),
      returned: receivedId,
    };
  }

  private remember(error: unknown): number {
    this.last += 1;
    this.sent.set(this.last, error);
    this.sent.delete(this.last - 100);
    return this.last;
  }
}

function restored({ message = '', stack, code, constraint, refusal, id }: Partial<PlainError>): Error {
  const error = refusal ? new ApiError(refusal.problem, refusal.values, { field: refusal.field, data: refusal.data }) : new Error(String(message));
  return Object.assign(error, stack === undefined ? {} : { stack: String(stack) }, { code, constraint, receivedId: id });
}
