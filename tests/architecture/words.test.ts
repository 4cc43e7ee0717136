import { describe, expect, test } from '@rstest/core';
import { filesUnder, type SourceFile } from './source.ts';
import { bannedIdentifiers, bannedPhrases } from './vocabulary.ts';

interface Text {
  readonly path: string;
  readonly text: string;
  /** The comments of a file, or the whole of a page, at their places; all other text is blank. */
  readonly prose: string;
  /** The code of a file without comments and strings; of prose, the parts between backticks. */
  readonly code: string;
}

/** Comments follow white space or an opening bracket; addresses and patterns do not. Adjacent `//` lines are one comment. */
const comment = /\/(?<=(?:^|[\s({,;[])\/)(?:\*\*?\s[\s\S]*?\*\/|\/ .*(?:\n[ \t]*\/\/ .*)*)/gm;
const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const inlineCode = /```[\s\S]*?```|`[^`]*`/g;

/** Replaces text by spaces, so that the line numbers of the rest stay. */
const blank = (text: string) => text.replace(/[^\n]/g, ' ');
function parse({ path, text }: SourceFile): Text {
  const isPage = path.endsWith('.md');
  let prose = isPage ? text : '';
  if (!isPage) for (const { 0: found, index } of text.matchAll(comment)) prose += blank(text.slice(prose.length, index)) + found;
  const quoted = (prose.match(inlineCode) ?? []).join('\n');
  return { path, text, prose: prose.replace(inlineCode, blank), code: `${isPage ? '' : text.replace(comment, blank)}\n${quoted}`.replace(string, '') };
}
const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

const opening = /^[\s/*]*(What|Who|Whose|Whom|Where|How|When|Why|Which|Whether|Whoever|Whatever|Whichever|Wherever|That which)\b/;
const phrases = new RegExp(`\\b(?:${Object.keys(bannedPhrases).join('|')})\\b`, 'gi');
const standardOf = (found: string) => Object.entries(bannedPhrases).find(([phrase]) => new RegExp(`^(?:${phrase})$`, 'i').test(found))?.[1];
/** Titles of tests and of their groups and steps. */
const title = /\b(?:test|describe|step)(?:\.\w+)*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const relative = /^(?:who|whose|whoever|what|whatever)\b/i;
const state = /\[\s*\w*\s*,\s*(\w+)\s*\]\s*=\s*useState\b/g;

const relativeOpenings = ({ path, text }: Text) =>
  [...text.matchAll(comment)].flatMap(({ 0: found, index }) => (opening.test(found) ? [`${path}:${lineOf(text, index)}: ${found.split('\n')[0]}`] : []));
const oldIdentifiers = ({ path, code }: Text) =>
  [...new Set(code.match(/[\w$-]+/g))]
    .filter((name) => Object.hasOwn(bannedIdentifiers, name))
    .map((name) => `${path}: ${name}, write ${bannedIdentifiers[name]}`);
const oldPhrases = ({ path, prose }: Text) =>
  [...prose.matchAll(phrases)].map(({ 0: found, index }) => `${path}:${lineOf(prose, index)}: "${found}", write ${standardOf(found)}`);
const oldTitles = ({ path, text }: Text) =>
  [...text.matchAll(title)].flatMap(({ 2: name = '' }) => (name.search(relative) === 0 || name.search(phrases) >= 0 ? [`${path}: ${name}`] : []));
const oddSetters = ({ path, text }: Text) =>
  [...text.matchAll(state)].flatMap(({ 1: name = '' }) => (/^set[A-Z]/.test(name) ? [] : [`${path}: ${name}, write setX`]));

const sources = ['src', 'scripts', 'tests', 'examples']
  .flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.mts', '.mjs']))
  .filter(({ path }) => !/^(tests\/architecture\/(vocabulary|words\.test)|tests\/docs\/upgrades\.test|scripts\/upgrades)\.m?[tj]s$/.test(path))
  .map(parse);
/** Pages of the documentation. The upgrade guide and the decision about its renames name the old terms; the reports in docs/api are generated from the code. */
const pages = filesUnder('docs', ['.md'])
  .filter(({ path }) => !/\/(upgrading-a-plugin|0098-[\w-]+)\.md$/.test(path) && !path.startsWith('docs/api/'))
  .map(parse);

const sample = (text: string, path = 'sample.tsx') => parse({ path, text });

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

  test('no test title opens with a relative clause or uses a phrase of the list', () => {
    expect(oldTitles(sample("test('whoever asks is refused', run);\ntest.skip('a tab is opened anew', run);"))).toHaveLength(2);
    expect(oldTitles(sample("test('a caller without a session is refused', run);"))).toEqual([]);
    expect(sources.flatMap(oldTitles)).toEqual([]);
  });

  test('every setter of useState is named after set', () => {
    expect(oddSetters(sample('const [open, turn] = useState(false);\nconst [, render] = useState(0);'))).toHaveLength(2);
    expect(oddSetters(sample('const [open, setOpen] = useState(false);\nconst [value] = useState(0);'))).toEqual([]);
    expect(sources.flatMap(oddSetters)).toEqual([]);
  });
});
