import { format } from 'node:util';

type PrintingConsole = Pick<Console, 'error' | 'warn'>;

/** Timer of the window, before a test replaces it. */
const later = globalThis.setTimeout;

/** React prints this because of the tests themselves: a busy machine lets `act` begin while another test helper still waits. */
const ofTestsThemselves = /The current testing environment is not configured to support act/;

/** Collects the errors and warnings that a test prints, and those that it expects. */
export class ConsoleErrors {
  private printed: string[] = [];
  private expected: RegExp[] = [];
  private undoings: (() => void)[] = [];

  /** Starts collecting errors and warnings instead of printing them. A window can have another console than the process. */
  start(consoles: readonly PrintingConsole[]): void {
    this.printed = [];
    this.expected = [];
    this.undoings = [...new Set(consoles)].flatMap((one) => [this.replace(one, 'error'), this.replace(one, 'warn')]);
  }

  /** Restores printing. */
  stop(): void {
    for (const undo of this.undoings.splice(0)) undo();
  }

  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Resolves when all expected messages have been printed, or after a while: messages about a connection follow its failed request. */
  async settled(): Promise<void> {
    const end = performance.now() + 3000;
    while (this.missing().length > 0 && performance.now() < end) await new Promise((resolve) => later(resolve, 5));
  }

  /** Returns the unexpected messages, and the expectations that were not met. */
  problems(): string[] {
    const unexpected = this.printed.filter((text) => ![...this.expected, ofTestsThemselves].some((pattern) => pattern.test(text)));
    return [...unexpected, ...this.missing().map((pattern) => `nothing printed ${pattern}`)];
  }

  private missing(): RegExp[] {
    return this.expected.filter((pattern) => !this.printed.some((text) => pattern.test(text)));
  }

  private replace(one: PrintingConsole, level: 'error' | 'warn'): () => void {
    const original = one[level];
    const collecting = (...args: unknown[]) => void this.printed.push(`console.${level}: ${format(...args)}`);
    one[level] = collecting;
    return () => {
      // A replacement by the test itself is left alone.
      if (one[level] === collecting) one[level] = original;
    };
  }
}

/** Collector of the running test. */
export const consoleErrors = new ConsoleErrors();

/** Expects an error or a warning that matches; the test fails if none is printed. */
export function expectConsoleError(pattern: RegExp): void {
  consoleErrors.expect(pattern);
}
