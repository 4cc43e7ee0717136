import { describe, expect, test } from '@rstest/core';
import { filesUnder, type SourceFile } from './source.ts';
import { bannedIdentifiers, bannedPhrases } from './vocabulary.ts';

const sources = ['src', 'scripts', 'tests', 'examples']
  .flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.mts', '.mjs']))
  .filter(({ path }) => !/^tests\/architecture\/(vocabulary|words\.test)\.ts$/.test(path));
/** Pages of the documentation. The upgrade guide names the old terms; the reports in docs/api are generated from the code. */
const pages = filesUnder('docs', ['.md']).filter(({ path }) => path !== 'docs/upgrading-a-plugin.md' && !path.startsWith('docs/api/'));

const block = /(?<=^|[\s({,;[])\/\*\*?\s[\s\S]*?\*\//gm;
const line = /(?<=^|\s)\/\/ .*(?:\n[ \t]*\/\/ .*)*/gm;
const comment = new RegExp(`${block.source}|${line.source}`, 'gm');
const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const inlineCode = /```[\s\S]*?```|`[^`]*`/g;

/** Replaces text by spaces, so that the line numbers of the rest stay. */
const blank = (text: string) => text.replace(/[^\n]/g, ' ');
/** Returns the comments of a file, or the whole of a page; all other text is blank. */
function proseOf({ path, text }: SourceFile): string {
  if (path.endsWith('.md')) return text;
  let end = 0;
  let prose = '';
  for (const match of text.matchAll(comment)) {
    prose += blank(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return prose;
}
/** Returns the code of a file without comments and strings; of prose, the parts between backticks. */
function codeOf(file: SourceFile): string {
  const quoted = [...proseOf(file).matchAll(inlineCode)].map(([code]) => code.replace(string, blank)).join('\n');
  return file.path.endsWith('.md') ? quoted : `${file.text.replace(comment, blank).replace(string, blank)}\n${quoted}`;
}
const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

const opening = /^[\s/*]*(What|Who|Whose|Whom|Where|How|When|Why|Which|Whether|Whoever|Whatever|Whichever|Wherever|That which)\b/;
const identifier = new RegExp(`(?<![\\w-])(${Object.keys(bannedIdentifiers).join('|')})(?![\\w-])`, 'g');
const phrases = Object.entries(bannedPhrases).map(([phrase, standard]) => ({ pattern: new RegExp(`\\b(?:${phrase})\\b`, 'gi'), standard }));
const state = /\[\s*\w*\s*,\s*(\w+)\s*\]\s*=\s*useState\b/g;

const relativeOpenings = ({ path, text }: SourceFile) =>
  [...text.matchAll(comment)].flatMap(({ 0: found, index }) => (opening.test(found) ? [`${path}:${lineOf(text, index)}: ${found.split('\n')[0]}`] : []));
const oldIdentifiers = (file: SourceFile) =>
  [...new Set([...codeOf(file).matchAll(identifier)].map(([name]) => name))].map((name) => `${file.path}: ${name}, write ${bannedIdentifiers[name]}`);
function oldPhrases(file: SourceFile): string[] {
  const prose = proseOf(file).replace(inlineCode, blank);
  return phrases.flatMap(({ pattern, standard }) =>
    [...prose.matchAll(pattern)].map(({ 0: found, index }) => `${file.path}:${lineOf(prose, index)}: "${found}", write ${standard}`),
  );
}
const oddSetters = ({ path, text }: SourceFile) =>
  [...text.matchAll(state)].flatMap(({ 1: name = '' }) => (/^set[A-Z]/.test(name) ? [] : [`${path}: ${name}, write setX`]));

const sample = (text: string, path = 'sample.tsx') => ({ path, text });

describe('words', () => {
  test('no comment opens with a relative clause', () => {
    expect(relativeOpenings(sample('/** What a page shows. */\nconst a = 1; // Where it is.\n/**\n * Whose row it is.\n */'))).toHaveLength(3);
    expect(relativeOpenings(sample("/** Shows what a page needs. */\nconst glob = '/* What */';"))).toEqual([]);
    expect(sources.flatMap(relativeOpenings)).toEqual([]);
  });

  test('no code and no page uses an identifier of the list', () => {
    expect(oldIdentifiers(sample('const seat = new Seat();'))).toEqual(['sample.tsx: Seat, write PluginRecord']);
    expect(oldIdentifiers(sample('/** Fills a `Roster`. */'))).toHaveLength(1);
    expect(oldIdentifiers(sample('The `Journal` is written.', 'page.md'))).toHaveLength(1);
    expect(oldIdentifiers(sample("const title = 'Seat'; // Seat\nexport { PluginRunner, mySeat };"))).toEqual([]);
    expect([...sources, ...pages].flatMap(oldIdentifiers)).toEqual([]);
  });

  test('no comment and no page uses a phrase of the list', () => {
    expect(oldPhrases(sample('const a = 1;\n/** Nobody waits. */'))).toEqual(['sample.tsx:2: "Nobody", write no user, no request']);
    expect(oldPhrases(sample('A plugin is told of it.', 'page.md'))).toHaveLength(1);
    expect(oldPhrases(sample("const user = 'nobody'; /* Sends `nobody`. */"))).toEqual([]);
    expect([...sources, ...pages].flatMap(oldPhrases)).toEqual([]);
  });

  test('every setter of useState is named after set', () => {
    expect(oddSetters(sample('const [open, turn] = useState(false);\nconst [, render] = useState(0);'))).toHaveLength(2);
    expect(oddSetters(sample('const [open, setOpen] = useState(false);\nconst [value] = useState(0);'))).toEqual([]);
    expect(sources.flatMap(oddSetters)).toEqual([]);
  });
});
