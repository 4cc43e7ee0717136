import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), 'docs');

/** A page of the documentation with its path relative to `docs`. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A code block of a page: its language, and the file path that it names. */
export interface Block {
  readonly language: string;
  readonly path: string | undefined;
  readonly text: string;
}

/** Returns every page, decisions included. */
export const pages = (): Page[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }));

/** Returns the code blocks of a page in order. */
export const blocksOf = ({ text }: Pick<Page, 'text'>): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => ({
    language,
    path: /^(?:\/\/|--) ((?:src|tests)\/\S+)\n/.exec(code)?.[1],
    text: code,
  }));
