import type { EventToken } from '#shared/contract';
import type { WireRequest, WireStream } from '../../src/kernel/platform/http/transport.ts';
import type { ScriptedTransport } from './scripted-transport.ts';

/** A stream that a console has opened, written by the test. */
export class ScriptedStream {
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly body: ReadableStream<Uint8Array>;

  constructor(readonly request: WireRequest) {
    this.body = new ReadableStream({
      start: (controller) => {
        this.controller = controller;
      },
    });
    request.signal.addEventListener('abort', () => this.break(), { once: true });
  }

  write(text: string): void {
    this.controller?.enqueue(new TextEncoder().encode(text));
  }

  send<Payload>({ name }: EventToken<Payload>, payload: Payload, id?: string): void {
    this.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`);
  }

  end(): void {
    this.controller?.close();
  }

  break(): void {
    this.controller?.error(new Error('connection lost'));
  }
}

/** Streams opened over a scripted network; `next` answers the oldest pending one. */
export class ScriptedStreams {
  opened = 0;
  last = undefined as unknown as ScriptedStream;
  private readonly waiting: { request: WireRequest; answer: (stream: WireStream) => void }[] = [];

  constructor(transport: ScriptedTransport) {
    transport.onOpen = (request) =>
      new Promise((answer, reject) => {
        this.waiting.push({ request, answer });
        request.signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
      });
  }

  async next(status = 200): Promise<ScriptedStream> {
    await this.settled(() => this.waiting.length > 0);
    const { request, answer } = this.waiting.shift() as (typeof this.waiting)[0];
    this.opened += 1;
    this.last = new ScriptedStream(request);
    answer({ status, body: this.last.body });
    return this.last;
  }

  /** Waits up to three seconds until the condition holds. */
  async settled(holds: () => boolean): Promise<void> {
    for (const start = Date.now(); !holds(); ) {
      if (Date.now() - start > 3000) throw new Error('It did not happen');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
