import { type Answer, Http, type SendOptions } from '../../src/kernel/platform/http/http.ts';
import type { Call } from '../../src/shared/contract/contract.ts';

type Input = Record<string, unknown>;
type Scripted = (input: Input) => unknown;

/** A request that was sent. */
export interface Sent {
  readonly path: string;
  readonly input: Input;
  readonly options: SendOptions;
}

/** Server with scripted replies by path: the return value of a script, or of its promise, becomes `data`, a thrown error becomes a request without a reply. */
export class ScriptedHttp extends Http {
  readonly sent: Sent[] = [];
  private readonly waiting: (() => void)[] = [];
  private isHolding = false;

  constructor(private readonly answers: Readonly<Record<string, Scripted>>) {
    super();
  }

  /** Holds replies back until they are released, in any order. */
  hold(): void {
    this.isHolding = true;
  }

  /** Releases the reply to the n-th request since `hold`. */
  release(index = 0): void {
    this.waiting.splice(index, 1)[0]?.();
  }

  to(path: string): Sent[] {
    return this.sent.filter((sent) => sent.path.endsWith(path));
  }

  async send(call: Call, input: unknown, options: SendOptions = {}): Promise<Answer<never>> {
    const script = this.answers[call.path];
    if (!script) throw new Error(`No answer is scripted for ${call.path}`);
    this.sent.push({ path: call.path, input: input as Input, options });
    if (this.isHolding) await new Promise<void>((resolve) => this.waiting.push(resolve));
    const result = script(input as Input);
    const given = result instanceof Promise ? await result : result;
    return (
      given instanceof Refused
        ? { success: false, code: given.code, data: null, msg: given.msg, ...given.details }
        : { success: true, code: 200, data: given, msg: '' }
    ) as Answer<never>;
  }
}

/** Return value of a script that refuses the request. */
export class Refused {
  constructor(
    readonly code: number,
    readonly msg: string,
    readonly details: { readonly field?: string; readonly details?: unknown } = {},
  ) {}
}
