import { type Answer, Http, type SendOptions } from '../../src/kernel/http/http.ts';
import type { Call } from '../../src/shared/contract.ts';

type Input = Record<string, unknown>;
type Scripted = (input: Input) => unknown;

/** One request as it was sent. */
export interface Sent {
  readonly path: string;
  readonly input: Input;
  readonly options: SendOptions;
}

/** A server that answers as a test says, by path; what a script gives becomes `data`, a thrown error a request without an answer. */
export class ScriptedHttp extends Http {
  readonly sent: Sent[] = [];
  private readonly waiting: (() => void)[] = [];
  private isHolding = false;

  constructor(private readonly answers: Readonly<Record<string, Scripted>>) {
    super();
  }

  /** Keeps answers back until they are released, in any order. */
  hold(): void {
    this.isHolding = true;
  }

  /** Lets the answer to the n-th request since `hold` go. */
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
    const given = script(input as Input);
    return (
      given instanceof Refused ? { success: false, code: given.code, data: null, msg: given.msg } : { success: true, code: 200, data: given, msg: '' }
    ) as Answer<never>;
  }
}

/** What a script gives when the server refuses. */
export class Refused {
  constructor(
    readonly code: number,
    readonly msg: string,
  ) {}
}
