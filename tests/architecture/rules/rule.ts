import type { SourceFile } from '../source.ts';

/** Violation of a rule. */
export interface Finding {
  readonly path: string;
  /** Line that violates the rule, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Files beside the judged ones that a rule may read. */
export interface RuleContext {
  /** Returns every file of `src`. */
  readonly source: () => readonly SourceFile[];
}

/** Rule about the text of files. Paths are those of the source tree: `src/plugins/<id>/…` and `tests/plugins/<id>/…`. */
export interface SourceRule {
  readonly id: string;
  find(files: readonly SourceFile[], context: RuleContext): readonly Finding[] | Promise<readonly Finding[]>;
}

/** Returns the line of a place in a text, from 1. */
export const lineOf = (text: string, index: number): number => text.slice(0, Math.max(index, 0)).split('\n').length;

/** Returns the line of the first match of a pattern in a file, or 1. */
export const lineOfMatch = ({ text }: SourceFile, pattern: RegExp): number => lineOf(text, text.search(pattern));

/** Replaces text by spaces, so that the line numbers of the rest stay. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Returns the id of the plugin that a file belongs to. */
export const pluginOf = (path: string): string | undefined => /^(?:src|tests)\/plugins\/([^/]+)\//.exec(path)?.[1];

/** Returns true for the sources of plugins and of the kernels, false for tests and scripts. */
export const isSource = ({ path }: SourceFile): boolean => path.startsWith('src/') && /\.tsx?$/.test(path);
