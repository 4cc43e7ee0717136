import type { Readable, Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** Maximum size of one message in bytes. */
export const maxMessageBytes = 16 * 2 ** 20;
/** Messages that are handled within a window of time; a flood of them waits, so that it does not occupy the server. */
const maxPerWindow = 100;
const windowMs = 100;

/** Both directions of a connection between the server and the process of a plugin. */
export interface MessagePipe {
  post(message: unknown): void;
  on(listener: (message: unknown) => void): void;
}

/**
 * Sends and receives messages over two streams, each with its length before it. It carries what `structuredClone` copies. A message that is too long or unreadable
 * calls `onBroken` before it is stored, so that a process cannot fill the memory of the server.
 */
export function messagePipe(input: Readable, output: Writable, onBroken: (reason: string) => void): MessagePipe {
  const received = new ReceivedMessages(input, onBroken);
  for (const stream of [input, output]) stream.on('error', () => undefined);
  return {
    post(message) {
      const content = serialize(message);
      if (content.length > maxMessageBytes) throw new Error(`The message has ${content.length} bytes, more than ${maxMessageBytes}.`);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(content.length);
      output.write(Buffer.concat([head, content]));
    },
    on: (listener) => received.start(listener),
  };
}

class ReceivedMessages {
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** Length of the next message, once its head has arrived. */
  private expected: number | undefined;
  private isBroken = false;
  private handled = 0;
  private windowStart = 0;
  private receive: (message: unknown) => void = () => undefined;

  constructor(
    private readonly input: Readable,
    private readonly onBroken: (reason: string) => void,
  ) {}

  start(listener: (message: unknown) => void): void {
    this.receive = listener;
    this.input.on('data', (chunk: Buffer) => {
      if (this.isBroken) return;
      this.chunks.push(chunk);
      this.bytes += chunk.length;
      if (!this.input.isPaused()) this.handleAll();
    });
  }

  private handleAll(): void {
    if (performance.now() - this.windowStart > windowMs) [this.handled, this.windowStart] = [0, performance.now()];
    for (let content = this.next(); content; content = this.next()) {
      try {
        this.receive(deserialize(content));
      } catch {
        this.fail('sent a message that cannot be read');
        return;
      }
      this.handled += 1;
      if (this.handled >= maxPerWindow) {
        this.pause();
        return;
      }
    }
    if (this.expected !== undefined && this.expected > maxMessageBytes) this.fail(`sent a message of ${this.expected} bytes`);
  }

  /** Leaves the rest in the pipe, whose sender has to wait. */
  private pause(): void {
    this.input.pause();
    setTimeout(() => {
      this.input.resume();
      this.handleAll();
    }, windowMs);
  }

  /** Returns the content of the next complete message; undefined until it has arrived. */
  private next(): Buffer | undefined {
    if (this.expected === undefined && this.bytes >= 4) this.expected = this.take(4).readUInt32BE();
    if (this.expected === undefined || this.expected > maxMessageBytes || this.bytes < this.expected) return undefined;
    const content = this.take(this.expected);
    this.expected = undefined;
    return content;
  }

  private take(length: number): Buffer {
    const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    this.chunks = all.length > length ? [all.subarray(length)] : [];
    this.bytes -= length;
    return all.subarray(0, length);
  }

  private fail(reason: string): void {
    this.isBroken = true;
    this.chunks = [];
    this.onBroken(reason);
  }
}
