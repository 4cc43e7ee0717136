import { format } from 'node:util';

type Level = 'error' | 'warn';

/** Tests replace the timer of the window. */
const later = globalThis.setTimeout;

let printed: string[] = [];
let expected: RegExp[] = [];

/** Lets this test print an error or a warning that matches; the test fails when none does. */
export function expectConsoleError(pattern: RegExp): void {
  expected.push(pattern);
}

/** Collects errors and warnings instead of printing them; what it returns puts the printing back. Consoles are given each once: a window may have another than the process. */
export function collectConsoleErrors(consoles: readonly Pick<Console, Level>[]): () => void {
  printed = [];
  expected = [];
  const undoings = [...new Set(consoles)].flatMap((one) =>
    (['error', 'warn'] as const).map((level) => {
      const original = one[level];
      const collecting = (...args: unknown[]) => void printed.push(`console.${level}: ${format(...args)}`);
      one[level] = collecting;
      return () => {
        if (one[level] === collecting) one[level] = original;
      };
    }),
  );
  return () => {
    for (const undo of undoings) undo();
  };
}

/** Resolves when everything expected has been printed, or after a while: what is printed about a connection comes after its request has failed. */
export async function expectedConsoleErrors(): Promise<void> {
  const end = performance.now() + 3000;
  while (unfulfilled().length > 0 && performance.now() < end) await new Promise((resolve) => later(resolve, 5));
}

/** Errors and warnings that the test printed and did not expect, and expectations that nothing fulfilled. */
export function unexpectedConsoleErrors(): string[] {
  const unexpected = printed.filter((text) => !expected.some((pattern) => pattern.test(text)));
  return [...unexpected, ...unfulfilled().map((pattern) => `nothing printed ${pattern}`)];
}

const unfulfilled = () => expected.filter((pattern) => !printed.some((text) => pattern.test(text)));
