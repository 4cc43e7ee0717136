import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), 'docs');

/** A page of the documentation, its path from `docs`. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A piece of code on a page: its language, and the path it says it stands at. */
export interface Block {
  readonly language: string;
  readonly path: string | undefined;
  readonly text: string;
}

/** Every page, decisions included. */
export const pages = (): Page[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }));

/** The code of a page, in its order. */
export const blocksOf = ({ text }: Pick<Page, 'text'>): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => ({
    language,
    path: /^(?:\/\/|--) ((?:src|tests)\/\S+)\n/.exec(code)?.[1],
    text: code,
  }));
