import { format } from 'node:util';

type PrintingConsole = Pick<Console, 'error' | 'warn'>;

/** The timer of the window, before a test replaces it. */
const later = globalThis.setTimeout;

/** Errors and warnings that one test prints, and those that it says it prints. */
export class ConsoleErrors {
  private printed: string[] = [];
  private expected: RegExp[] = [];
  private undoings: (() => void)[] = [];

  /** Begins anew, and collects errors and warnings instead of printing them. A window may have another console than the process. */
  start(consoles: readonly PrintingConsole[]): void {
    this.printed = [];
    this.expected = [];
    this.undoings = [...new Set(consoles)].flatMap((one) => [this.replace(one, 'error'), this.replace(one, 'warn')]);
  }

  /** Prints again. */
  stop(): void {
    for (const undo of this.undoings.splice(0)) undo();
  }

  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Resolves when everything expected has been printed, or after a while: what is printed about a connection comes after its request has failed. */
  async settled(): Promise<void> {
    const end = performance.now() + 3000;
    while (this.missing().length > 0 && performance.now() < end) await new Promise((resolve) => later(resolve, 5));
  }

  /** Lists the messages that were printed and not expected, and the expectations that nothing fulfilled. */
  problems(): string[] {
    const unexpected = this.printed.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
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
      // A test's own replacement is left to the test.
      if (one[level] === collecting) one[level] = original;
    };
  }
}

/** Of the test that runs. */
export const consoleErrors = new ConsoleErrors();

/** Lets this test print an error or a warning that matches; the test fails when none comes. */
export function expectConsoleError(pattern: RegExp): void {
  consoleErrors.expect(pattern);
}
