import type { SourceFile } from '../source.ts';
import { bannedIdentifiers, bannedPhrases } from '../vocabulary.ts';
import { blank, type Finding, lineOf, pluginOf, type SourceRule } from './rule.ts';

interface Text {
  readonly path: string;
  readonly text: string;
  /** The comments of a file, or the whole of a page, at their places; all other text is blank. */
  readonly prose: string;
  /** The code of a file without comments and strings; of prose, the parts between backticks. */
  readonly code: string;
  /** Words by which the plugin of the file names things of its domain. */
  readonly domain: readonly string[];
}

/** English names of at most three words in the contract and the menu of a plugin, each beside its Chinese one. */
const domainName = /\[\s*'[^'\n]*\p{Script=Han}[^'\n]*',\s*'(\w+(?: \w+){0,2})',?\s*\]/gu;

/** Returns the words of the domain of the plugin that a file belongs to, in lower case. */
function domainsOf(files: readonly SourceFile[]): (path: string) => readonly string[] {
  const domains = new Map<string, string[]>();
  for (const { path, text } of files) {
    const plugin = /\/(?:[\w-]*contract|menus)\.ts$/.test(path) ? pluginOf(path) : undefined;
    const words = plugin === undefined ? [] : [...text.matchAll(domainName)].flatMap(([, name = '']) => name.toLowerCase().split(' '));
    if (plugin !== undefined) domains.set(plugin, [...(domains.get(plugin) ?? []), ...words]);
  }
  return (path) => domains.get(pluginOf(path) ?? '') ?? [];
}

/** Comments follow white space or an opening bracket; addresses and patterns do not. Adjacent `//` lines are one comment. */
const comment = /\/(?<=(?:^|[\s({,;[])\/)(?:\*\*?\s[\s\S]*?\*\/|\/ .*(?:\n[ \t]*\/\/ .*)*)/gm;
const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const inlineCode = /```[\s\S]*?```|`[^`]*`/g;

/** Separates the prose of a file or page from its code. */
function parse({ path, text }: SourceFile, domain: readonly string[]): Text {
  const isPage = path.endsWith('.md');
  let prose = isPage ? text : '';
  if (!isPage) for (const { 0: found, index } of text.matchAll(comment)) prose += blank(text.slice(prose.length, index)) + found;
  const quoted = (prose.match(inlineCode) ?? []).join('\n');
  return { path, text, prose: prose.replace(inlineCode, blank), code: `${isPage ? '' : text.replace(comment, blank)}\n${quoted}`.replace(string, ''), domain };
}

const opening = /^[\s/*]*(What|Who|Whose|Whom|Where|How|When|Why|Which|Whether|Whoever|Whatever|Whichever|Wherever|That which)\b/;
const phrases = new RegExp(`\\b(?:${Object.keys(bannedPhrases).join('|')})\\b`, 'gi');
const entries = Object.entries(bannedPhrases).map(([phrase, standard]) => ({ pattern: new RegExp(`^(?:${phrase})$`, 'i'), standard }));
/** Returns the standard wording for a phrase; undefined for a word of the domain, in any of its forms. */
function standardOf(found: string, { domain }: Text): string | undefined {
  const entry = entries.find(({ pattern }) => pattern.test(found));
  return domain.some((word) => entry?.pattern.test(word)) ? undefined : entry?.standard;
}
/** Titles of tests and of their groups and steps. */
const title = /\b(?:test|describe|step)(?:\.\w+)*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const relative = /^(?:who|whose|whoever|what|whatever)\b/i;
const state = /\[\s*\w*\s*,\s*(\w+)\s*\]\s*=\s*useState\b/g;

const at = ({ path, text }: Text, index: number, reason: string): Finding => ({ path, line: lineOf(text, index), reason });

const openings = (file: Text) =>
  [...file.text.matchAll(comment)].flatMap(({ 0: found, index }) =>
    opening.test(found) ? [at(file, index, `a comment opens with a noun or a verb, not a relative clause: ${found.split('\n')[0]}`)] : [],
  );
const identifiers = (file: Text) =>
  [...new Set(file.code.match(/[\w$-]+/g))]
    .filter((name) => Object.hasOwn(bannedIdentifiers, name) && !file.domain.some((word) => word.startsWith(name.toLowerCase())))
    .map((name) => at(file, file.text.search(new RegExp(`(?<![\\w$-])${name}(?![\\w$-])`)), `${name} is a former name, write ${bannedIdentifiers[name]}`));
const phrasesIn = (file: Text) =>
  [...file.prose.matchAll(phrases)].flatMap(({ 0: found, index }) => {
    const standard = standardOf(found, file);
    return standard === undefined ? [] : [at(file, index, `"${found}", write ${standard}`)];
  });
const titles = (file: Text) =>
  [...file.text.matchAll(title)].flatMap(({ 2: name = '', index }) => {
    const [clause] = relative.exec(name) ?? [];
    const banned = (name.match(phrases) ?? []).flatMap((found) => {
      const standard = standardOf(found, file);
      return standard === undefined ? [] : [`"${found}", write ${standard}`];
    });
    const opens = clause ? [`it opens with "${clause}", write a sentence with a subject: "a lamp that is lit is found by its name"`] : [];
    const reason = (banned.length > 0 ? banned : opens).join('; ');
    return reason ? [at(file, index, `the title "${name}": ${reason}`)] : [];
  });
const setters = (file: Text) =>
  [...file.text.matchAll(state)].flatMap(({ 1: name = '', index }) =>
    /^set[A-Z]/.test(name) ? [] : [at(file, index, `${name} sets a state, write set${name.charAt(0).toUpperCase()}${name.slice(1)}`)],
  );

const rule = (id: string, find: (file: Text) => Finding[]): SourceRule => ({
  id,
  find: (files) => {
    const domainOf = domainsOf(files);
    return files.filter(({ path }) => /\.(m?ts|tsx|mjs|md)$/.test(path)).flatMap((file) => find(parse(file, domainOf(file.path))));
  },
});

/** Rules about the words of comments, names and titles. */
export const wordRules: readonly SourceRule[] = [
  rule('comment-opening', openings),
  rule('vocabulary', (file) => [...identifiers(file), ...phrasesIn(file)]),
  rule('test-title', titles),
  rule('state-setter', setters),
];
