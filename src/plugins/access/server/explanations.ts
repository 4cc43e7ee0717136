import type { ServerContext } from '#server';
import { explaining } from '../contract.ts';
import { peopleNamed } from './people.ts';

/** Serves the explanation of permissions. */
export function serveExplanations({ serve, db, explanations }: ServerContext): void {
  serve(explaining.of, ({ input, principal }) => explanations.of(principal, input));
  serve(explaining.people, ({ input }) => peopleNamed(db, input.text ?? ''));
  serve(explaining.entries, ({ principal, language }) => explanations.entries(principal, language));
  serve(explaining.calls, ({ input, language }) => explanations.calls(input.text ?? '', language));
}
